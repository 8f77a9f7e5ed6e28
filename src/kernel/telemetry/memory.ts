import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the engine calls a collection after which it also hands empty pages back to the system. */
const ALL_THERE_IS = { type: 'major', execution: 'sync', flavor: 'last-resort' };

/**
 * Gives back what starting has left behind, once: loading modules leaves more garbage than the hub holds when it is
 * idle, and an idle process collects none of it. A plain collection would keep the empty pages for ten seconds more.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: typeof ALL_THERE_IS) => void;
  collect(ALL_THERE_IS);
}
