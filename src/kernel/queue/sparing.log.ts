/** The part of a logger that is needed to tell of trouble. */
export interface TroubleLog {
  warn(message: string): void;
}

const QUIET_MS = 30_000;

/**
 * Tells of trouble that repeats itself many times a second, such as a server that is away: the first time at once,
 * then at most every 30 s with the number of times that were left out.
 */
export class SparingLog {
  private quietUntil = 0;
  private leftOut = 0;

  constructor(
    private readonly log: TroubleLog,
    private readonly subject: string,
  ) {}

  /** Tells of `error`, unless the same subject has been told of a moment ago. */
  warn(error: unknown): void {
    const now = performance.now();
    if (now < this.quietUntil) {
      this.leftOut++;
      return;
    }
    const more = this.leftOut > 0 ? ` (${this.leftOut} more since the last time)` : '';
    this.log.warn(`${this.subject}: ${reasonOf(error)}${more}`);
    this.quietUntil = now + QUIET_MS;
    this.leftOut = 0;
  }

  /** The next trouble is news again. */
  reset(): void {
    this.quietUntil = 0;
    this.leftOut = 0;
  }
}

/** A short text for any thrown value, with what caused it. Errors of a connection tried twice have only a code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || ('code' in error ? String(error.code) : error.name);
  return error.cause instanceof Error ? `${own} (${reasonOf(error.cause)})` : own;
}
