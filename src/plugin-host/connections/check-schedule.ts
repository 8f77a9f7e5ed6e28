/** How often a connection is checked, in milliseconds. */
export const CHECK_INTERVAL_MS = 15 * 60_000;
const MIN_RETRY_DELAY_MS = 30_000;
const MAX_RETRY_DELAY_MS = 6 * 3_600_000;

/** Returns `ms` plus or minus up to 20 %, so that connections that were made together are not checked together. */
export function withJitter(ms: number, random: () => number = Math.random): number {
  return Math.round(ms * (0.8 + 0.4 * random()));
}

/** Returns the delay after a number of consecutive failures, in milliseconds: 30 s, doubled each time, at most 6 h. */
export function computeCheckRetryDelayMs(failures: number): number {
  return Math.min(MIN_RETRY_DELAY_MS * 2 ** Math.min(failures, 20), MAX_RETRY_DELAY_MS);
}
