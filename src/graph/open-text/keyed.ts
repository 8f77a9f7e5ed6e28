import { hash } from 'node:crypto';
import { canonKey } from '#domain/claims/canon.js';
import type { Agreed } from '#domain/extract/merge-doors.js';
import type { Json, ObservationInput } from '#domain/observation/observation.js';
import type { OpenTextRequest } from './open-text-request.js';

const DIGITS = 12;

/**
 * What is appended for a text: the text itself first, if it is kept as an event, then what was read in it, with quote and methods for the record.
 * With a key of the source system each gets one of its own, made of that key and of what it says, so that the same
 * text sent again adds nothing but what has come to be read in it since.
 */
export function keyed(
  { text, note, externalId }: Pick<OpenTextRequest, 'text' | 'note' | 'externalId'>,
  agreed: readonly Agreed[],
): { observations: ObservationInput[]; noted: 0 | 1 } {
  const read = agreed.map(({ door, input, quote, methods }) => {
    const raw: Record<string, Json> = {
      ...input.raw,
      ...(text !== undefined && { read: { door, quote, methods: [...methods] } }),
    };
    const own = input.externalId ?? (externalId === undefined ? undefined : keyOf(externalId, input));
    return {
      ...input,
      ...(Object.keys(raw).length > 0 && { raw }),
      ...(own !== undefined && { externalId: own }),
    };
  });
  return note ? { observations: [note, ...read], noted: 1 } : { observations: read, noted: 0 };
}

function keyOf(externalId: string, { property, value }: ObservationInput): string {
  return `${externalId}/${hash('sha256', `${property} ${canonKey(value)}`).slice(0, DIGITS)}`;
}
