import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** Looks again and again until `condition` gives something truthy, which it answers; fails after `ms` milliseconds. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  ms = 40_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + ms;
  for (;;) {
    const found = await condition();
    if (found) return found as NonNullable<Exclude<T, false>>;
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}
