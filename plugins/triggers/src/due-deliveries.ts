import type { Delivery } from './delivery.js';

/** Deliveries about one entity in order: each is sent after the previous one was delivered or has failed. */
export type EntityLane = readonly Delivery[];

/** Due deliveries, and the time at which the next one is due. */
export interface DueDeliveries {
  readonly lines: readonly EntityLane[];
  /** Milliseconds since 1970; null if none is scheduled. */
  readonly nextAt: number | null;
}

/**
 * Finds the due deliveries, grouped by entity. A delivery that is not due delays only later ones about the same entity.
 * @param waiting deliveries in order of their IDs
 * @param recoveredAt time of recovery of the endpoint; deliveries attempted before it are due again
 */
export function findDueDeliveries(
  waiting: readonly Delivery[],
  now: number,
  recoveredAt: number | null,
): DueDeliveries {
  const lines = new Map<string, Delivery[]>();
  const held = new Set<string>();
  let nextAt: number | null = null;
  for (const delivery of waiting) {
    if (held.has(delivery.entity_id)) continue;
    const at = computeDueTime(delivery, recoveredAt);
    if (at > now) {
      held.add(delivery.entity_id);
      nextAt = Math.min(nextAt ?? Infinity, at);
    } else lines.set(delivery.entity_id, [...(lines.get(delivery.entity_id) ?? []), delivery]);
  }
  return { lines: [...lines.values()], nextAt };
}

function computeDueTime({ next_at, attempts }: Delivery, recoveredAt: number | null): number {
  const last = attempts.at(-1);
  return last && recoveredAt !== null && Date.parse(last.at) < recoveredAt ? recoveredAt : Date.parse(next_at);
}
