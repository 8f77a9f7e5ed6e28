import { setImmediate as nextTurn } from 'node:timers/promises';
import { requestWork } from '#kernel/context/request-context.js';

/** Units of work (characters, or items that have no size) between two turns of other requests, at most. */
export const MAX_SLICE_UNITS = 64 * 1024;
/** Milliseconds after which a slice ends even if it is small. */
const MAX_SLICE_MS = 2;

/**
 * Lets other requests have their turn, and resolves when it is this one's again. Outside of a request, as in a job, it
 * waits for one turn of the event loop.
 * @param units size of the slice that ends here.
 */
export async function yieldToOthers(units = 0): Promise<void> {
  const work = requestWork();
  if (!work) return nextTurn();
  work.scheduler.report(units);
  return work.scheduler.turn(work.owner);
}

/**
 * Maps a list in slices of at most {@link MAX_SLICE_UNITS} units and about 2 ms, with turns for other requests between
 * them. An item that is larger is a slice of its own, so items must be bounded where they are read.
 * @param sizeOf units of an item; 1 by default.
 */
export async function mapYielding<From, To>(
  list: readonly From[],
  map: (each: From, i: number) => To,
  sizeOf: (each: From) => number = () => 1,
): Promise<To[]> {
  const mapped: To[] = [];
  let units = 0;
  let since = performance.now();
  for (const [i, each] of list.entries()) {
    const size = sizeOf(each);
    if (units > 0 && (units + size > MAX_SLICE_UNITS || performance.now() - since >= MAX_SLICE_MS)) {
      await yieldToOthers(units);
      units = 0;
      since = performance.now();
    }
    units += size;
    mapped.push(map(each, i));
  }
  requestWork()?.scheduler.report(units);
  return mapped;
}

/** Maps each item of a list to several, as {@link mapYielding} does. */
export async function flatMapYielding<From, To>(
  list: readonly From[],
  map: (each: From, i: number) => readonly To[],
  sizeOf?: (each: From) => number,
): Promise<To[]> {
  const mapped: To[] = [];
  const add = (each: From, i: number) => {
    for (const item of map(each, i)) mapped.push(item);
  };
  await mapYielding(list, add, sizeOf);
  return mapped;
}
