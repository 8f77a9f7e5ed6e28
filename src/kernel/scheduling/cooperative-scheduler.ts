import { TimeoutError } from './timeout.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { requestWork } from '../request-context.js';

/** Options of a {@link FairGate}. */
export interface FairGateOptions {
  /** Maximum number of entries at the same time, of all owners together. */
  readonly maxTotal: number;
  /** Maximum number of entries of an owner while others are active. */
  readonly maxShared: number;
  /** Maximum number of entries of an owner while no other one is active. */
  readonly maxAlone: number;
}

/** How long an owner counts as active after an entry, in milliseconds. */
const ACTIVE_MS = 5_000;

interface Waiter {
  readonly enter: () => void;
}

/**
 * Admits work in fair turns: owners (workspaces) alternate, the work of one owner enters in order, and no owner holds
 * more than its share while others are active. An owner that is alone may use nearly everything.
 */
export class FairGate {
  private readonly entered = new Map<string, number>();
  /** Waiting work by owner; the order of the map is that of the rotation. */
  private readonly waiting = new Map<string, Waiter[]>();
  /** The last entry of each active owner, in milliseconds of `performance.now()`; the latest comes last. */
  private readonly lastEntry = new Map<string, number>();
  private enteredCount = 0;
  private waitingCount = 0;

  constructor(private readonly options: FairGateOptions) {}

  /** Returns the amount of work that waits. */
  get waiters(): number {
    return this.waitingCount;
  }

  /** Returns how much work of an owner has entered and not left. */
  enteredBy(owner: string): number {
    return this.entered.get(owner) ?? 0;
  }

  /** Enters at once and returns true, or returns false if the owner has to wait. */
  tryEnter(owner: string): boolean {
    this.markActive(owner);
    if (this.waiting.has(owner) || !this.hasRoom(owner)) return false;
    this.admit(owner);
    return true;
  }

  /**
   * Waits for the owner's turn and enters. The caller leaves with {@link leave}.
   * @throws TimeoutError after `timeoutMs` milliseconds
   */
  enter(owner: string, timeoutMs: number): Promise<void> {
    if (this.tryEnter(owner)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiter = { enter: () => (clearTimeout(timer), resolve()) };
      const timer = setTimeout(() => {
        this.removeWaiter(owner, waiter);
        reject(new TimeoutError(`no turn came within ${Math.round(timeoutMs)} ms`));
      }, timeoutMs);
      const queue = this.waiting.get(owner);
      if (queue) queue.push(waiter);
      else this.waiting.set(owner, [waiter]);
      this.waitingCount++;
    });
  }

  /** Ends an entry and admits whose turn it is. */
  leave(owner: string): void {
    const left = this.enteredBy(owner) - 1;
    if (left > 0) this.entered.set(owner, left);
    else this.entered.delete(owner);
    this.enteredCount--;
    this.admitWaiting();
  }

  private admitWaiting(): void {
    for (const [owner, queue] of this.waiting) {
      if (this.enteredCount >= this.options.maxTotal) return;
      if (!this.hasRoom(owner)) continue;
      const [next] = queue.splice(0, 1);
      this.waiting.delete(owner);
      if (queue.length > 0) this.waiting.set(owner, queue);
      this.waitingCount--;
      this.admit(owner);
      next!.enter();
    }
  }

  private admit(owner: string): void {
    this.entered.set(owner, this.enteredBy(owner) + 1);
    this.enteredCount++;
  }

  private hasRoom(owner: string): boolean {
    const { maxTotal, maxShared, maxAlone } = this.options;
    const max = this.hasOthers(owner) ? maxShared : maxAlone;
    return this.enteredCount < maxTotal && this.enteredBy(owner) < max;
  }

  private hasOthers(owner: string): boolean {
    return this.lastEntry.size > (this.lastEntry.has(owner) ? 1 : 0);
  }

  private markActive(owner: string): void {
    const now = performance.now();
    this.lastEntry.delete(owner);
    this.lastEntry.set(owner, now);
    for (const [other, at] of this.lastEntry) {
      if (now - at < ACTIVE_MS) return;
      this.lastEntry.delete(other);
    }
  }

  private removeWaiter(owner: string, waiter: Waiter): void {
    const queue = this.waiting.get(owner);
    const index = queue?.indexOf(waiter) ?? -1;
    if (!queue || index < 0) return;
    queue.splice(index, 1);
    if (queue.length === 0) this.waiting.delete(owner);
    this.waitingCount--;
  }
}

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
