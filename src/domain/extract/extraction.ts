import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';

/** A place in a text: `text.slice(start, end)` is the quote. */
export interface TextSpan {
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
}

/** Why something that a text seems to say is not taken for said. */
export const REVIEW_REASONS = {
  negated: 'The sentence negated something.',
  question: 'The sentence asks.',
  hedged: 'The sentence says maybe, or only under a condition.',
  past: 'The sentence speaks of how things were.',
  somebody_else: 'The sentence is about somebody with another name.',
  first_person: 'Whether "I" is the contact cannot be told from the text.',
  other_company: 'The company is another one than is known for the contact.',
  unattributed: 'Whose it is, the text does not say.',
  several_values: 'The sentence names more than one.',
  mere_mention: 'It is mentioned, and not said to be in use or under discussion.',
  quote_not_found: 'The quote does not occur in the text.',
} as const;

/** One of {@link REVIEW_REASONS}. */
export type ReviewReason = keyof typeof REVIEW_REASONS;

/** What a text says about its subject, with the words that say it. */
export interface Extraction extends TextSpan {
  readonly kind: ObservationKind;
  readonly property: string;
  readonly value: JsonValue;
  /** What read it: `contact`, `role`, `left`, `stage` … */
  readonly rule: string;
  /** The words, as they stand in the text. */
  readonly quote: string;
  /** Absent: nothing speaks against it. */
  readonly doubt?: ReviewReason;
}

/** What is known when a text is read. */
export interface ExtractionContext {
  /** When the text was written: `next month` is read as of then, in UTC. */
  readonly at: Instant;
  readonly subject: 'person' | 'company';
  /** Names that the subject goes by, in any spelling; empty when none is known, then every name may be its own. */
  readonly names: readonly string[];
  /** Where the subject works, as far as it is known. */
  readonly companies: readonly string[];
  /** Whether the subject itself wrote the text (a reply, a form), so that `I` is the subject. */
  readonly isAuthor: boolean;
  readonly competitors: readonly string[];
  readonly technologies: readonly string[];
}
