import { setTimeout as pause } from 'node:timers/promises';

const POLL_INTERVAL_MS = 15;

/** Polls until the condition is true; returns false after `timeoutMs` milliseconds. */
export async function pollUntil(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() >= end) return false;
    await pause(POLL_INTERVAL_MS);
  }
}
