import { setTimeout as pause } from 'node:timers/promises';

const POLL_INTERVAL_MS = 15;

/** Asks again and again until the answer is yes (true) or the patience, in milliseconds, is over (false). */
export async function pollUntil(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() >= end) return false;
    await pause(POLL_INTERVAL_MS);
  }
}
