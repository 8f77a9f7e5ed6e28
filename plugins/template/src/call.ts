import type { Json, ObservationInput } from '@rapport/plugin-sdk';

/** A call, as far as Acme Dialer's shape is read. */
export interface Call {
  readonly id: string;
  readonly email: string;
  readonly endedAt: string;
  readonly seconds: number;
  readonly outcome: string;
}

/** Reads a call of Acme Dialer, wherever it comes from; undefined when it lacks what a timeline needs. */
export function toCall(json: Json | undefined): Call | undefined {
  const { id, ended_at, seconds, outcome, with: person } = toFields(json);
  const { email } = toFields(person);
  if (typeof id !== 'string' || typeof ended_at !== 'string' || typeof email !== 'string') return undefined;
  if (Number.isNaN(Date.parse(ended_at))) return undefined;
  const known = typeof outcome === 'string' ? outcome : 'unknown';
  return { id, email, endedAt: ended_at, seconds: typeof seconds === 'number' ? seconds : 0, outcome: known };
}

/**
 * What a call is on a timeline. The external id depends on the call alone, so a webhook, its repeat and the backfill
 * make one activity.
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
