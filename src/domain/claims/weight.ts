import { DAY_US, type Instant } from '#domain/time/instant.js';
import type { FoldEntry } from './property-state.js';
import { sourceFamily } from './trust.js';

/** Returns 2^(-age/halfLife): the share of weight left after `age`, with `halfLife` in days. 1 if it is Infinity. */
export function decay(age: Instant, halfLife: number): number {
  return 2 ** (-age / (halfLife * DAY_US));
}

/** Returns the weight of a statement at time `at`. */
export function computeWeight(entry: FoldEntry, at: Instant, halfLife: number): number {
  return entry.r * decay(at - entry.t, halfLife);
}

/**
 * Returns the joint weight of statements at time `at`, 0..1: noisy-or over the families of their sources. Each family
 * votes once, with its heaviest statement, because vendors that buy data from each other are not independent.
 */
export function jointStrength(entries: readonly FoldEntry[], at: Instant, halfLife: number): number {
  const heaviest = new Map<string, number>();
  for (const entry of entries) {
    const family = sourceFamily(entry.source);
    heaviest.set(family, Math.max(heaviest.get(family) ?? 0, computeWeight(entry, at, halfLife)));
  }
  return noisyOr([...heaviest.values()]);
}

/**
 * Returns the probability that at least one of independent sources is right, each being right with its weight
 * (noisy-or).
 */
export function noisyOr(weights: readonly number[]): number {
  return 1 - weights.reduce((wrong, weight) => wrong * (1 - weight), 1);
}

/**
 * Compares two statements by weight; 0 if they weigh the same. Both decay alike, so the order is that of log2(r) +
 * t/halfLife at any time.
 */
export function compareWeight(one: FoldEntry, other: FoldEntry, halfLife: number): number {
  const difference = logWeight(one, halfLife) - logWeight(other, halfLife);
  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

function logWeight(entry: FoldEntry, halfLife: number): number {
  return Math.log2(entry.r) + entry.t / (halfLife * DAY_US);
}
