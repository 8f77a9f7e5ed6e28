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
