import type { Instant } from '#domain/time/instant.js';
import { directionOf } from './direction.js';
import type { StoredObservation } from './observation.js';

/** When an entity was first and last interacted with, and when it last turned to us. Null: never. */
export interface Activity {
  readonly first: Instant | null;
  readonly last: Instant | null;
  readonly lastInbound: Instant | null;
}

/** The activity that these observations show; plain least and greatest, so that their order never matters. */
export function activityOf(observations: readonly StoredObservation[], now: Instant): Activity {
  const events = observations.filter(o => o.kind === 'event' && o.observedAt <= now);
  const inbound = events.filter(o => directionOf(o.property, o.value) === 'inbound');
  return { first: least(events), last: greatest(events), lastInbound: greatest(inbound) };
}

function greatest(events: readonly StoredObservation[]): Instant | null {
  return events.reduce<Instant | null>((most, { observedAt }) => Math.max(most ?? observedAt, observedAt), null);
}

function least(events: readonly StoredObservation[]): Instant | null {
  return events.reduce<Instant | null>((most, { observedAt }) => Math.min(most ?? observedAt, observedAt), null);
}
