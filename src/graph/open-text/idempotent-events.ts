import { hash } from 'node:crypto';
import { canonicalKey } from '#domain/claims/canonical-key.js';
import type { MergedExtraction } from '#domain/extract/merge-extractions.js';
import type { JsonValue, ObservationDraft } from '#domain/observation/observation.js';
import type { OpenTextRequest } from './open-text-request.js';

const KEY_DIGITS = 12;

/**
 * What is appended for a text: the text itself first, if it is kept as an event, then what was read in it, with quote and methods for the record.
 * With a key of the source system each gets one of its own, made of that key and of what it says, so that the same
 * text sent again adds nothing but what has come to be read in it since.
 */
export function withExternalIds(
  { text, note, externalId }: Pick<OpenTextRequest, 'text' | 'note' | 'externalId'>,
  extractions: readonly MergedExtraction[],
): { observations: ObservationDraft[]; noted: 0 | 1 } {
  const read = extractions.map(({ door, input, quote, methods }) => {
    const raw: Record<string, JsonValue> = {
      ...input.raw,
      ...(text !== undefined && { read: { door, quote, methods: [...methods] } }),
    };
    const own = input.externalId ?? (externalId === undefined ? undefined : deriveExternalId(externalId, input));
    return {
      ...input,
      ...(Object.keys(raw).length > 0 && { raw }),
      ...(own !== undefined && { externalId: own }),
    };
  });
  return note ? { observations: [note, ...read], noted: 1 } : { observations: read, noted: 0 };
}

function deriveExternalId(externalId: string, { property, value }: ObservationDraft): string {
  return `${externalId}/${hash('sha256', `${property} ${canonicalKey(value)}`).slice(0, KEY_DIGITS)}`;
}
