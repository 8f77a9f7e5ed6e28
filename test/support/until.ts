import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = { shortest: 20, longest: 250 };

/**
 * Looks again and again until `condition` gives something truthy, which it answers; fails after `ms` milliseconds.
 * The longer it has waited, the less often it looks, so that what takes seconds leaves the machine to others.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  ms = 40_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const startedAt = performance.now();
  for (;;) {
    const found = await condition();
    if (found) return found as NonNullable<Exclude<T, false>>;
    const waited = performance.now() - startedAt;
    if (waited > ms) throw new Error(`not within ${ms} ms: ${what}`);
    await pause(Math.min(Math.max(waited / 10, PAUSE_MS.shortest), PAUSE_MS.longest));
  }
}
