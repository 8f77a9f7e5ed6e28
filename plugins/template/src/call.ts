import type { Json, ObservationInput } from '@rapport/plugin-sdk';

/** A call of Acme Dialer. */
export interface Call {
  readonly id: string;
  readonly email: string;
  readonly endedAt: string;
  readonly seconds: number;
  readonly outcome: string;
}

/** Parses a call of Acme Dialer; undefined if a required field is missing. */
export function toCall(json: Json | undefined): Call | undefined {
  const { id, ended_at, seconds, outcome, with: person } = toFields(json);
  const { email } = toFields(person);
  if (typeof id !== 'string' || typeof ended_at !== 'string' || typeof email !== 'string') return undefined;
  if (Number.isNaN(Date.parse(ended_at))) return undefined;
  const known = typeof outcome === 'string' ? outcome : 'unknown';
  return { id, email, endedAt: ended_at, seconds: typeof seconds === 'number' ? seconds : 0, outcome: known };
}

/**
 * Converts a call to an observation. The external ID depends only on the call, so a webhook, its repetition and the
 * backfill record one activity.
 */
export function toObservation({ id, endedAt, seconds, outcome }: Call): ObservationInput {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return {
    kind: 'event',
    property: 'interaction.call_held',
    external_id: `acme-dialer:call:${id}`,
    observed_at: new Date(endedAt).toISOString(),
    value: { description: `Call of ${minutes} min, ${outcome}.`, call_id: id, seconds, outcome },
  };
}

function toFields(json: Json | undefined): { readonly [field: string]: Json | undefined } {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as { readonly [field: string]: Json })
    : {};
}
