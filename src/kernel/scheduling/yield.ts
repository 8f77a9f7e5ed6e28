import { setImmediate as nextTurn } from 'node:timers/promises';
import { requestWork } from '#kernel/request-context.js';

/** Units of work between two turns of other requests, at most. A unit is about a character that is read once. */
export const MAX_SLICE_UNITS = 64 * 1024;
/** Units of an item of which nothing else is said: a thousand of them are a slice. */
export const ITEM_UNITS = 64;
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
 * Measures a slice of work that may run through several loops: `if (slice.isFull(size)) await slice.yield();` in front
 * of each item keeps it below {@link MAX_SLICE_UNITS} units and about 2 ms. An item that is larger is a slice of its
 * own, so items must be bounded where they are read.
 */
export class WorkSlice {
  private units = 0;
  private next = 0;
  private since = performance.now();

  /** Takes an item of `size` units in, and tells whether others must have their turn before it is worked on. */
  isFull(size = ITEM_UNITS): boolean {
    const isFull =
      this.units > 0 && (this.units + size > MAX_SLICE_UNITS || performance.now() - this.since >= MAX_SLICE_MS);
    if (!isFull) this.units += size;
    else this.next = size;
    return isFull;
  }

  /** Gives others their turn; the item that did not fit begins the next slice. */
  async yield(): Promise<void> {
    await yieldToOthers(this.units);
    this.units = this.next;
    this.next = 0;
    this.since = performance.now();
  }

  /** Reports what was worked on since the last turn. */
  end(): void {
    requestWork()?.scheduler.report(this.units);
  }
}

/**
 * Maps a list with turns for other requests between slices of it, as {@link WorkSlice} measures them.
 * @param sizeOf units of an item; {@link ITEM_UNITS} by default.
 */
export async function mapYielding<From, To>(
  list: readonly From[],
  map: (each: From, i: number) => To,
  sizeOf: (each: From) => number = () => ITEM_UNITS,
): Promise<To[]> {
  const mapped: To[] = [];
  const slice = new WorkSlice();
  for (const [i, each] of list.entries()) {
    if (slice.isFull(sizeOf(each))) await slice.yield();
    mapped.push(map(each, i));
  }
  slice.end();
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
