const ACQUIRE_TIMEOUT_MS = 50;

/** How many of one kind of job run at once in this process. */
export class ConcurrencyLimiter {
  private active = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly maxConcurrent: number) {}

  /** Takes a place, waiting a moment for one; false when there is none. Whoever got one calls {@link release}. */
  async acquire(): Promise<boolean> {
    if (this.active < this.maxConcurrent) return Boolean(++this.active);
    const acquired = Promise.withResolvers<boolean>();
    const grant = () => acquired.resolve(true);
    this.waiting.push(grant);
    const late = setTimeout(() => {
      const place = this.waiting.indexOf(grant);
      if (place < 0) return;
      this.waiting.splice(place, 1);
      acquired.resolve(false);
    }, ACQUIRE_TIMEOUT_MS);
    return acquired.promise.finally(() => clearTimeout(late));
  }

  /** Gives the place to whoever waits first, or frees it. */
  release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.active--;
  }
}
