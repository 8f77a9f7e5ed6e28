import type { ToolSchema } from './schema.js';

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

/**
 * Plans, lowest first.
 * @example const plan: ToolPlan = 'growth';
 */
export type ToolPlan = 'starter' | 'growth' | 'scale';

/**
 * A permission of an API key. `settings` is for changes of how the workspace is set up; `admin` includes it.
 * @example const scopes: ToolScope[] = ['read'];
 */
export type ToolScope = 'read' | 'write' | 'settings' | 'admin' | 'internal';

/**
 * Hints about the effects of a tool. All four are required, because clients assume the worst if one is missing and
 * ask the user more often than needed.
 * @example { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
 */
export interface ToolAnnotations {
  /** The tool changes nothing. */
  readonly readOnlyHint: boolean;
  /** The tool may delete, disconnect or overwrite something. */
  readonly destructiveHint: boolean;
  /** Repeating a call has no further effect. */
  readonly idempotentHint: boolean;
  /** The result may contain text written by third parties, or the call reaches other systems. */
  readonly openWorldHint: boolean;
}

/**
 * Options of a tool. Models read the description: say what the tool returns and when to use another tool, and give an
 * example.
 * @example
 * ```ts
 * { name: 'acme_list_calls', title: 'List calls', description: 'Latest calls with a person, newest first.',
 *   input: z.object({ focus: z.string() }), scopes: ['read'], annotations: readOnly }
 * ```
 */
export interface McpToolOptions<I extends ToolSchema = ToolSchema> {
  /** `verb_noun`, at most 48 characters `a-z0-9_`; in a partner's plugin it starts with the plugin's ID. */
  readonly name: string;
  /** Name shown to users in lists of tools. */
  readonly title: string;
  readonly description: string;
  /** Schema of the arguments, validated before the handler runs. */
  readonly input: I;
  /** Schema of the object that the handler returns; clients validate against it. */
  readonly output?: ToolSchema;
  /** Scopes that the API key must have. */
  readonly scopes: readonly ToolScope[];
  /** Lowest plan with access to the tool. Default: `starter`. */
  readonly minPlan?: ToolPlan;
  /** `internal` tools are available only to API keys with the scope `internal`. Default: `agent`. */
  readonly visibility?: 'agent' | 'internal';
  readonly annotations: ToolAnnotations;
  /** Array fields of the result that may be truncated to fit the output budget, least important first. */
  readonly trim?: readonly string[];
  /**
   * Set if a call may take longer than a few seconds. Clients of the 2025 protocol revisions then receive a stream
   * with keep-alives and the tool's log lines instead of a single JSON response. Default: false.
   */
  readonly longRunning?: boolean;
}
