import type { Delivery } from './delivery.js';

/** Messages about one entity, in their order: each is sent when the one before it has been delivered or given up. */
export type EntityLane = readonly Delivery[];

/** What of the waiting messages can be sent, and when there is more. */
export interface DueDeliveries {
  readonly lines: readonly EntityLane[];
  /** Milliseconds since 1970; null when nothing waits for its time. */
  readonly nextAt: number | null;
}

/**
 * Chooses what is due, in lines. A message whose time has not come holds up those about the same entity, and nobody else.
 * @param waiting in the order in which they landed
 * @param recoveredAt when the endpoint came back: whatever was tried before is due again
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
