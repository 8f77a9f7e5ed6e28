import type { JsonSchema } from './schema.js';
import type { ToolPlan, ToolScope } from './tool.js';

/**
 * Execution options of a job. Limits apply per job name and process of the hub.
 * @example { attempts: 8, backoff: { type: 'exponential', delayMs: 2000 }, timeoutMs: 60_000, concurrency: 2 }
 */
export interface JobManifest {
  /** Maximum number of attempts before the job becomes a dead letter, 1 to 50. Default: 12. */
  readonly attempts?: number;
  /** Delay before the next attempt in milliseconds: constant, or doubled each time. Default: exponential from 1 s. */
  readonly backoff?: { readonly type: 'fixed' | 'exponential'; readonly delayMs: number };
  /** Time limit of an attempt, 100 to 900,000 ms. `hub.signal` then aborts and the attempt fails. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Maximum number of concurrent runs, 1 to 50. Default: 1. */
  readonly concurrency?: number;
  /**
   * Interval in milliseconds, at least 10,000, in which the job runs for every connection with null as its data.
   * Without it the job runs only after `hub.jobs.emit`.
   */
  readonly everyMs?: number;
}

/**
 * A route for users of the hub, authenticated by their API key.
 * @example { method: 'GET', path: 'calls/:id', auth: 'workspace', summary: 'Read a call' }
 */
export interface RouteManifest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/v2/plugins/<id>/`, without a leading slash. Segments are words or `:parameter`. */
  readonly path: string;
  /** Authentication. `workspace` requires an API key of the workspace and is the only kind. */
  readonly auth: 'workspace';
  /** Short summary for the API reference. */
  readonly summary?: string;
  /** Scopes that the API key must have. Default: `read` for GET, otherwise `write`. */
  readonly scopes?: readonly ToolScope[];
  /** Lowest plan with access to the route; on lower plans it responds 404. Default: the plan of the plugin. */
  readonly minPlan?: ToolPlan;
  /** JSON Schema (an object of strings) of the query. Without it any query is accepted. */
  readonly query?: JsonSchema;
  /** JSON Schema of the JSON body, validated before the handler runs. Without it any JSON is accepted. */
  readonly body?: JsonSchema;
  /** JSON Schema of the JSON body of successful responses, for the API reference. The test harness checks it. */
  readonly response?: JsonSchema;
  /** Statuses of success, each from 200 to 299. Default: 200. */
  readonly statuses?: readonly number[];
  /** If set, the body is a file that is streamed to the handler instead of JSON. */
  readonly upload?: UploadManifest;
}

/**
 * Files that a route accepts.
 * @example { maxBytes: 50_000_000, contentTypes: ['text/csv'] }
 */
export interface UploadManifest {
  /** Maximum size in bytes, at most 1,000,000,000. Larger files are rejected with 413. */
  readonly maxBytes: number;
  /** Accepted media types; others are rejected with 415. */
  readonly contentTypes: readonly string[];
}

/**
 * Properties of a tool that are known before its code is loaded. They must match the `@McpTool` of the same name.
 * @example { visibility: 'agent', readOnly: true, idempotent: true, destructive: false }
 */
export interface ToolManifest {
  /** `internal` tools are available only to API keys with the scope `internal`. */
  readonly visibility: 'agent' | 'internal';
  /** The tool changes nothing. */
  readonly readOnly: boolean;
  /** Repeating a call has no further effect. */
  readonly idempotent: boolean;
  /** The tool may delete or overwrite data. */
  readonly destructive: boolean;
  /** Lowest plan with access to the tool. Default: the plan of the plugin. */
  readonly minPlan?: ToolPlan;
}

/**
 * Properties of a resource or prompt that are known before its code is loaded; may be an empty object.
 * @example { minPlan: 'growth' }
 */
export interface ResourceManifest {
  /** Lowest plan with access to it. Default: the plan of the plugin. */
  readonly minPlan?: ToolPlan;
}

/**
 * A panel of the console. It contains no code: the console renders the `PanelData` that the route returns.
 * @example { slot: 'contact', kind: 'table', title: 'Calls', source: 'panel' }
 */
export interface PanelManifest {
  /** The page with the panel: the integration, or a contact, whose ID is sent as the query parameter `focus`. */
  readonly slot: 'integration' | 'contact';
  readonly kind: 'form' | 'badge' | 'table';
  /** Heading of the panel. */
  readonly title: string;
  /**
   * Name of the GET route of this plugin that returns the data. A form is submitted to the POST route with the same
   * path.
   */
  readonly source: string;
}
