import { hash } from 'node:crypto';
import { canonicalKey } from '#domain/claims/canonical-key.js';
import type { MergedExtraction } from '#domain/extract/merge-extractions.js';
import type { JsonValue, ObservationDraft } from '#domain/observation/observation.js';
import type { OpenTextRequest } from './open-text-request.js';

const KEY_DIGITS = 12;

/**
 * Returns the observations to append for a text: the text itself, if it is recorded as an event, then the extractions
 * with quote and methods in `raw`. If the text has an external ID, each extraction gets one derived from it and from its
 * property and value, so the same text sent again adds only extractions that are new since.
 */
export function withExternalIds(
  { text, note, externalId }: Pick<OpenTextRequest, 'text' | 'note' | 'externalId'>,
  extractions: readonly MergedExtraction[],
): { observations: ObservationDraft[]; noted: 0 | 1 } {
  const extracted = extractions.map(({ door, input, quote, methods }) => {
    const raw: Record<string, JsonValue> = {
      ...input.raw,
      ...(text !== undefined && { read: { door, quote, methods: [...methods] } }),
    };
    const extractionId =
      input.externalId ?? (externalId === undefined ? undefined : deriveExternalId(externalId, input));
    return {
      ...input,
      ...(Object.keys(raw).length > 0 && { raw }),
      ...(extractionId !== undefined && { externalId: extractionId }),
    };
  });
  return note ? { observations: [note, ...extracted], noted: 1 } : { observations: extracted, noted: 0 };
}

function deriveExternalId(externalId: string, { property, value }: ObservationDraft): string {
  return `${externalId}/${hash('sha256', `${property} ${canonicalKey(value)}`).slice(0, KEY_DIGITS)}`;
}
