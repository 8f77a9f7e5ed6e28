import type { ToolSchema } from './schema.js';

/**
 * Plans, lowest first.
 * @example const plan: ToolPlan = 'growth';
 */
export type ToolPlan = 'starter' | 'growth' | 'scale';

/**
 * What an API key may be allowed to do.
 * @example const scopes: ToolScope[] = ['read'];
 */
export type ToolScope = 'read' | 'write' | 'admin' | 'internal';

/**
 * What a tool promises about its effects. All four are required, because clients assume the worst of a
 * missing one and ask the user more often than needed.
 * @example { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
 */
export interface ToolAnnotations {
  /** The tool changes nothing. */
  readonly readOnlyHint: boolean;
  /** The tool may take something away (delete, disconnect, overwrite). */
  readonly destructiveHint: boolean;
  /** The same call sent twice leaves the same state as sent once. */
  readonly idempotentHint: boolean;
  /** The result may carry text that third parties wrote, or the call reaches other systems. */
  readonly openWorldHint: boolean;
}

/**
 * Everything a tool declares. Descriptions are read by models: say what comes back, when to use another tool,
 * and give an example.
 * @example
 * ```ts
 * { name: 'acme_list_calls', title: 'List calls', description: 'Latest calls with a person, newest first.',
 *   input: z.object({ focus: z.string() }), scopes: ['read'], annotations: readOnly }
 * ```
 */
export interface McpToolOptions<I extends ToolSchema = ToolSchema> {
  /** `verb_noun` of at most 48 characters `a-z0-9_`; a partner's tool begins with the id of its plugin. */
  readonly name: string;
  /** For people, in lists of tools. */
  readonly title: string;
  readonly description: string;
  /** Arguments, checked before the handler runs. */
  readonly input: I;
  /** Shape of the object that the handler returns; clients check against it. */
  readonly output?: ToolSchema;
  /** Scopes that the API key must hold, all of them. */
  readonly scopes: readonly ToolScope[];
  /** Lowest plan that sees the tool. Default: `starter`. */
  readonly minPlan?: ToolPlan;
  /** `internal` tools exist only for keys with the scope `internal`. Default: `agent`. */
  readonly visibility?: 'agent' | 'internal';
  readonly annotations: ToolAnnotations;
  /** Array fields of the result that may be shortened to fit the output budget, least important first. */
  readonly trim?: readonly string[];
  /**
   * The call may take longer than a few seconds. Clients of the 2025 revisions then get a stream that is kept
   * alive and carries the tool's log lines, instead of one late JSON answer. Default: false.
   */
  readonly longRunning?: boolean;
}
