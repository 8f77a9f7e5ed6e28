import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds that the event loop is kept at most before others get their turn. */
const STRETCH_MS = 2;

/** Maps a long list without keeping the event loop from others for long. */
export async function mapInTurns<From, To>(list: readonly From[], map: (each: From, i: number) => To): Promise<To[]> {
  const mapped: To[] = [];
  let since = performance.now();
  for (const [i, each] of list.entries()) {
    mapped.push(map(each, i));
    if (performance.now() - since < STRETCH_MS) continue;
    await turn();
    since = performance.now();
  }
  return mapped;
}
