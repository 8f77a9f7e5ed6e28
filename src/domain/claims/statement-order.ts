import type { OrderKey } from './property-state.js';

/**
 * Compares two statements in fold order: time, then reliability (of two at one instant the more reliable is folded
 * last), then digest, then ID. It does not depend on the order of arrival.
 */
export function compareOrder(one: OrderKey, other: OrderKey): number {
  return one.t - other.t || one.r - other.r || compareText(one.digest, other.digest) || compareText(one.id, other.id);
}

/** Compares by code unit, which is the same on every machine. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
