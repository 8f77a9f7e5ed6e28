import type { NoteInput, ObservationInput } from '../graph-port.js';

/** Returns the error with which the hub would reject an observation; undefined if it would accept it. */
export function validateObservation({ kind, property, observed_at }: ObservationInput): string | undefined {
  if (kind !== 'event' && kind !== 'state') return `kind must be "event" or "state", not "${String(kind)}".`;
  if (typeof property !== 'string' || property === '') return 'property must name what is observed.';
  if (kind === 'event' && !/^interaction\.[a-z][a-z0-9_]*$/.test(property)) {
    return `The property "${property}" of an event must be interaction.<type>, such as interaction.call_held.`;
  }
  if (kind === 'state' && property.startsWith('interaction.')) {
    return `The property "${property}" is one of events; a state has a bare name, such as title.`;
  }
  if (observed_at !== undefined && !isInstant(observed_at)) {
    return `observed_at must be an ISO 8601 time with its zone, not "${observed_at}".`;
  }
  return undefined;
}

/** Returns the error with which the hub would reject a note; undefined if it would accept it. */
export function validateNote({ title, content, date }: NoteInput): string | undefined {
  if (!title || !content) return 'A note needs a title and content.';
  if (date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(date)) return `date must be YYYY-MM-DD, not "${date}".`;
  return undefined;
}

function isInstant(text: string): boolean {
  return /^[^T]*T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text));
}
