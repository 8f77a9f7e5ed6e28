import type { ExtractionContext } from '#domain/extract/extraction.js';

/** A text about a person of whom nothing is known, written on Friday, 20 November 2026. */
export const reading = (more: Partial<ExtractionContext> = {}): ExtractionContext => ({
  at: Date.UTC(2026, 10, 20, 12) * 1000,
  subject: 'person',
  names: [],
  companies: [],
  isAuthor: false,
  competitors: ['Gongo', 'Chorusy'],
  technologies: ['Snowplow', 'Redshifty'],
  ...more,
});
