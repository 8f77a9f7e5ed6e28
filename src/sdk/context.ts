/** Severity of a log line. */
export type ToolLogLevel = 'debug' | 'info' | 'warning' | 'error';

/** What every tool handler receives as its second argument. */
export interface ToolContext {
  /** Aborted when the caller has gone away; pass it on to whatever the tool waits for. */
  readonly signal: AbortSignal;
  /**
   * Tells a waiting caller how far the work is; does nothing when the caller did not ask for it, and never
   * rejects. `done` must grow with every call (a smaller number is left out); `total` is in the same unit, if
   * it is known.
   */
  progress(done: number, total?: number, message?: string): Promise<void>;
  /**
   * Writes a log line. `message` goes to the log of the hub and to clients that asked for log lines, so it
   * must hold no secret and nothing that a third party wrote; `details` stay in the log of the hub.
   */
  log(level: ToolLogLevel, message: string, details?: Readonly<Record<string, unknown>>): void;
}
