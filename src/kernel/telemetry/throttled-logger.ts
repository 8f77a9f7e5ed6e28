/** The part of a logger that is needed to tell of trouble. */
export interface WarnLogger {
  warn(message: string): void;
}

const THROTTLE_INTERVAL_MS = 30_000;

/**
 * Tells of trouble that repeats itself many times a second, such as a server that is away: the first time at once,
 * then at most every 30 s with the number of times that were left out.
 */
export class ThrottledLogger {
  private mutedUntil = 0;
  private suppressedCount = 0;

  constructor(
    private readonly log: WarnLogger,
    private readonly subject: string,
  ) {}

  /** Tells of `error`, unless the same subject has been told of a moment ago. */
  warn(error: unknown): void {
    const now = performance.now();
    if (now < this.mutedUntil) {
      this.suppressedCount++;
      return;
    }
    const more = this.suppressedCount > 0 ? ` (${this.suppressedCount} more since the last time)` : '';
    this.log.warn(`${this.subject}: ${errorMessage(error)}${more}`);
    this.mutedUntil = now + THROTTLE_INTERVAL_MS;
    this.suppressedCount = 0;
  }

  /** The next trouble is news again. */
  reset(): void {
    this.mutedUntil = 0;
    this.suppressedCount = 0;
  }
}

/** A short text for any thrown value, with what caused it. Errors of a connection tried twice have only a code. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || ('code' in error ? String(error.code) : error.name);
  return error.cause instanceof Error ? `${own} (${errorMessage(error.cause)})` : own;
}
