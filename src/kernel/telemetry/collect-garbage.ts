import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Garbage collection of V8 that also returns empty pages to the system. */
const LAST_RESORT_GC = { type: 'major', execution: 'sync', flavor: 'last-resort' };

/**
 * Collects garbage and returns empty pages to the system. Loading modules leaves more garbage than an idle hub holds,
 * and an idle process does not collect it soon. A normal collection would keep the empty pages for ten more seconds.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: typeof LAST_RESORT_GC) => void;
  collect(LAST_RESORT_GC);
}
