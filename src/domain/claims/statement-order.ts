import type { OrderKey } from './property-state.js';

/**
 * The total order in which statements are folded: time, then reliability (at one instant the more reliable has the
 * last word), then digest, then id. None of it depends on the order of arrival.
 */
export function compareOrder(one: OrderKey, other: OrderKey): number {
  return one.t - other.t || one.r - other.r || compareText(one.digest, other.digest) || compareText(one.id, other.id);
}

/** By code unit, the same on every machine. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
