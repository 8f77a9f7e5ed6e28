import { setImmediate as nextTurn } from 'node:timers/promises';
import { requestWork } from '#kernel/request-context.js';

/** Maximum number of work units between two turns of other requests. A unit is about a character that is read once. */
export const MAX_SLICE_UNITS = 64 * 1024;
/** Default units of an item: a thousand of them fill a slice. */
export const ITEM_UNITS = 64;
/** Milliseconds after which a slice ends even if it is small. */
const MAX_SLICE_MS = 2;

/**
 * Yields to other requests and resolves at the next turn of the current one. Outside a request, as in a job, it waits
 * for one iteration of the event loop.
 * @param units size of the slice that ends here.
 */
export async function yieldToOthers(units = 0): Promise<void> {
  const work = requestWork();
  if (!work) return nextTurn();
  work.scheduler.report(units);
  return work.scheduler.turn(work.owner);
}

/**
 * Measures slices of work that may span several loops: calling `if (slice.isFull(size)) await slice.yield();` before
 * each item keeps a slice below {@link MAX_SLICE_UNITS} units and about 2 ms. A larger item is a slice of its own, so
 * the size of items must be bounded where they are parsed.
 */
export class WorkSlice {
  private units = 0;
  private next = 0;
  private since = performance.now();

  /** Adds an item of `size` units, and returns whether to yield before processing it. */
  isFull(size = ITEM_UNITS): boolean {
    const isFull =
      this.units > 0 && (this.units + size > MAX_SLICE_UNITS || performance.now() - this.since >= MAX_SLICE_MS);
    if (!isFull) this.units += size;
    else this.next = size;
    return isFull;
  }

  /** Yields to other requests; the item that did not fit starts the next slice. */
  async yield(): Promise<void> {
    await yieldToOthers(this.units);
    this.units = this.next;
    this.next = 0;
    this.since = performance.now();
  }

  /** Reports the units since the last turn. */
  end(): void {
    requestWork()?.scheduler.report(this.units);
  }
}

/**
 * Maps a list and yields to other requests between slices of {@link WorkSlice}.
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

/** Maps each item of a list to several and flattens the result, like {@link mapYielding}. */
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
