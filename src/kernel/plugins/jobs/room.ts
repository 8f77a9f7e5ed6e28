const PATIENCE_MS = 50;

/** How many of one kind of job run at once in this process. */
export class Room {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly places: number) {}

  /** Takes a place, waiting a moment for one; false when there is none. Whoever got one calls {@link leave}. */
  async enter(): Promise<boolean> {
    if (this.taken < this.places) return Boolean(++this.taken);
    const turn = Promise.withResolvers<boolean>();
    const enter = () => turn.resolve(true);
    this.waiting.push(enter);
    const late = setTimeout(() => {
      const place = this.waiting.indexOf(enter);
      if (place < 0) return;
      this.waiting.splice(place, 1);
      turn.resolve(false);
    }, PATIENCE_MS);
    return turn.promise.finally(() => clearTimeout(late));
  }

  /** Gives the place to whoever waits first, or frees it. */
  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.taken--;
  }
}
