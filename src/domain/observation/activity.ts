import type { Instant } from '#domain/time/instant.js';
import { resolveDirection } from './direction.js';
import type { StoredObservation } from './observation.js';

/** First and last interaction with an entity, and its last inbound one; null if there is none. */
export interface Activity {
  readonly first: Instant | null;
  readonly last: Instant | null;
  readonly lastInbound: Instant | null;
}

/** Computes the activity of observations. Their order does not matter. */
export function computeActivity(observations: readonly StoredObservation[], now: Instant): Activity {
  const events = observations.filter(o => o.kind === 'event' && o.observedAt <= now);
  const inbound = events.filter(o => resolveDirection(o.property, o.value) === 'inbound');
  return { first: earliestTime(events), last: latestTime(events), lastInbound: latestTime(inbound) };
}

function latestTime(events: readonly StoredObservation[]): Instant | null {
  return events.reduce<Instant | null>((most, { observedAt }) => Math.max(most ?? observedAt, observedAt), null);
}

function earliestTime(events: readonly StoredObservation[]): Instant | null {
  return events.reduce<Instant | null>((most, { observedAt }) => Math.min(most ?? observedAt, observedAt), null);
}
