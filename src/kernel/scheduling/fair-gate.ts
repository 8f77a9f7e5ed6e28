import { TimeoutError } from './timeout.js';

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
