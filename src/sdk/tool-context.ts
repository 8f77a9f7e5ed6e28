/**
 * Severity of a log line.
 * @example call.log('warning', 'the list was cut');
 */
export type ToolLogLevel = 'debug' | 'info' | 'warning' | 'error';

/**
 * What a tool handler receives besides its input: as its second argument in the hub itself, as its third in a plugin.
 * @example
 * ```ts
 * async sync(_input: object, hub: HubContext, call: ToolContext) {
 *   await call.progress(10, 200, 'calls read');
 * }
 * ```
 */
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
