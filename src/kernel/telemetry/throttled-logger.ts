/** A logger for warnings. */
export interface WarnLogger {
  warn(message: string): void;
}

const THROTTLE_INTERVAL_MS = 30_000;

/**
 * Logs failures that repeat many times a second, such as those of an unavailable server: the first at once, then at
 * most every 30 s with the number of suppressed ones.
 */
export class ThrottledLogger {
  private mutedUntil = 0;
  private suppressedCount = 0;

  constructor(
    private readonly log: WarnLogger,
    private readonly subject: string,
  ) {}

  /** Logs `error`, unless the same subject was logged a moment ago. */
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

  /** Logs the next failure at once. */
  reset(): void {
    this.mutedUntil = 0;
    this.suppressedCount = 0;
  }
}

/**
 * Returns a short text for any thrown value, with its cause. A connection error of several attempts has only a code.
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || ('code' in error ? String(error.code) : error.name);
  return error.cause instanceof Error ? `${own} (${errorMessage(error.cause)})` : own;
}
