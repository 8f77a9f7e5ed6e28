import { setImmediate as nextTurn } from 'node:timers/promises';
import { requestWork } from '../request-context.js';

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

/**
 * Schedules work that blocks the event loop: one slice per iteration of the loop, so that I/O and timers run between
 * any two slices, however many requests work. Workspaces alternate, and the requests of a workspace run in order, so
 * a workspace that sends many large requests slows down only its own.
 */
export class CooperativeScheduler {
  /** Waiting slices by workspace; the order of the map is that of the rotation. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isScheduled = false;
  private largest = 0;
  private granted = 0;

  /** Returns the size of the largest reported slice, in units (characters or items). */
  get largestSlice(): number {
    return this.largest;
  }

  /** Returns the number of granted turns. */
  get turnsGranted(): number {
    return this.granted;
  }

  /** Records the size of a finished slice, in units. */
  report(units: number): void {
    if (units > this.largest) this.largest = units;
  }

  /** Resolves when `owner` may run another slice. */
  turn(owner: string): Promise<void> {
    return new Promise(resolve => {
      const queue = this.waiting.get(owner);
      if (queue) queue.push(resolve);
      else this.waiting.set(owner, [resolve]);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.size === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.grant();
      this.schedule();
    });
  }

  private grant(): void {
    for (const [owner, queue] of this.waiting) {
      const next = queue.shift();
      this.waiting.delete(owner);
      if (queue.length > 0) this.waiting.set(owner, queue);
      this.granted++;
      return next?.();
    }
  }
}
