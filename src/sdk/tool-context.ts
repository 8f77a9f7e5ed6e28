/**
 * Severity of a log line.
 * @example call.log('warning', 'the list was truncated');
 */
export type ToolLogLevel = 'debug' | 'info' | 'warning' | 'error';

/**
 * Context of a tool call: the third argument of a tool handler in a plugin, the second one in the hub itself.
 * @example
 * ```ts
 * async sync(_input: object, hub: HubContext, call: ToolContext) {
 *   await call.progress(10, 200, 'calls read');
 * }
 * ```
 */
export interface ToolContext {
  /** Aborts when the caller disconnects. Pass it on to every operation that the tool awaits. */
  readonly signal: AbortSignal;
  /**
   * Reports progress to the caller. Does nothing if the caller did not request progress, and never rejects. `done`
   * must increase with every call (smaller numbers are ignored); `total` is in the same unit, if known.
   */
  progress(done: number, total?: number, message?: string): Promise<void>;
  /**
   * Writes a log line. `message` goes to the log of the hub and to clients that requested log lines, so it must not
   * contain secrets or text of third parties; `details` go only to the log of the hub.
   */
  log(level: ToolLogLevel, message: string, details?: Readonly<Record<string, unknown>>): void;
}
