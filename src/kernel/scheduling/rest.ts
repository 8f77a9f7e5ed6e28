import { setTimeout as wait } from 'node:timers/promises';

/**
 * Returns how long background work rests after it has worked, in milliseconds.
 * @param share share of the time for which it may work, between 0 and 1
 */
export function computeRestMs(workedMs: number, share: number): number {
  return (workedMs * (1 - share)) / share;
}

/** Waits for some milliseconds, or until a signal aborts. Never rejects, and does not keep the process alive. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
