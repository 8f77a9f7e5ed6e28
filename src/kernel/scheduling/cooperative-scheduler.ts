/**
 * Grants turns to work that holds the event loop: one slice in each turn of the loop, so that I/O and timers come
 * between any two slices, however many requests work. Workspaces take turns, and within one the requests do in their
 * order, so a workspace that sends many large requests slows down its own.
 */
export class CooperativeScheduler {
  /** Those that wait, by workspace; the map's order is that of the rotation. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isScheduled = false;
  private largest = 0;
  private granted = 0;

  /** Units (characters or items) of the largest slice that was reported so far. */
  get largestSlice(): number {
    return this.largest;
  }

  /** Turns that were granted so far. */
  get turnsGranted(): number {
    return this.granted;
  }

  /** Notes the size of a slice that has ended, in units. */
  report(units: number): void {
    if (units > this.largest) this.largest = units;
  }

  /** Resolves when it is the turn of `owner` to work for another slice. */
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
