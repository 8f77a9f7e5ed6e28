import { setTimeout as pause } from 'node:timers/promises';

const STEP_MS = 15;

/** Asks again and again until the answer is yes (true) or the patience, in milliseconds, is over (false). */
export async function until(answer: () => boolean | Promise<boolean>, patienceMs: number): Promise<boolean> {
  const end = performance.now() + patienceMs;
  for (;;) {
    if (await answer()) return true;
    if (performance.now() >= end) return false;
    await pause(STEP_MS);
  }
}
