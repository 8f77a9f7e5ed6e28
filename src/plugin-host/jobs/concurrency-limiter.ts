const ACQUIRE_TIMEOUT_MS = 50;

/**
 * Limits how many jobs of one kind run at once in this process. A caller that waits too long gives up, so that its job
 * leaves the queue to those of other kinds; p-limit and async-sema only wait without limit.
 */
export class ConcurrencyLimiter {
  private active = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly maxConcurrent: number) {}

  /**
   * Acquires a slot, waiting up to 50 ms; returns false if there is none. The holder of a slot calls {@link release}.
   */
  async acquire(): Promise<boolean> {
    if (this.active < this.maxConcurrent) return Boolean(++this.active);
    const acquired = Promise.withResolvers<boolean>();
    const grant = () => acquired.resolve(true);
    this.waiting.push(grant);
    const timer = setTimeout(() => {
      const index = this.waiting.indexOf(grant);
      if (index < 0) return;
      this.waiting.splice(index, 1);
      acquired.resolve(false);
    }, ACQUIRE_TIMEOUT_MS);
    return acquired.promise.finally(() => clearTimeout(timer));
  }

  /** Passes the slot to the first waiting caller, or frees it. */
  release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.active--;
  }
}
