/** Lines of a kind that are logged within a window; further ones are counted. */
export const MAX_LINES_PER_WINDOW = 10;
const WINDOW_MS = 10_000;
/** Bounds the memory; beyond it, the kind that was seen first is forgotten. */
const MAX_KINDS = 500;

interface Window {
  endsAt: number;
  lines: number;
  suppressed: number;
}

/**
 * Bounds how often lines of one kind are logged: at most 10 within 10 seconds. A flood of requests that
 * are refused, or a database that is away for a minute, must not fill the disk or hide other lines. The next line of the
 * kind names the number of suppressed ones; metrics count all of them.
 */
export class FloodGate {
  private readonly windows = new Map<string, Window>();

  /** @param now the monotonic time in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Returns the fields to add to the next line of a kind, `suppressed` if lines were left out since the last one;
   * undefined if the line is to be left out.
   */
  admit(kind: string): { suppressed?: number } | undefined {
    const now = this.now();
    let window = this.windows.get(kind);
    if (!window || now >= window.endsAt) {
      const suppressed = window?.suppressed ?? 0;
      this.windows.delete(kind);
      if (this.windows.size >= MAX_KINDS) this.windows.delete(this.windows.keys().next().value!);
      window = { endsAt: now + WINDOW_MS, lines: 1, suppressed: 0 };
      this.windows.set(kind, window);
      return suppressed > 0 ? { suppressed } : {};
    }
    if (window.lines < MAX_LINES_PER_WINDOW) {
      window.lines++;
      return {};
    }
    window.suppressed++;
    return undefined;
  }
}

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
