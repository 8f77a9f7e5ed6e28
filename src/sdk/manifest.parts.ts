import type { JsonSchema } from './schema.js';
import type { ToolPlan, ToolScope } from './tool.js';

/**
 * How a job runs. All numbers are for one job name in one process of the hub.
 * @example { attempts: 8, backoff: { type: 'exponential', delayMs: 2000 }, timeoutMs: 60_000, concurrency: 2 }
 */
export interface JobManifest {
  /** How often the job is tried before it is parked, 1 to 50. Default: 12. */
  readonly attempts?: number;
  /** The pause before the next try: the same each time, or doubled each time, in milliseconds. Default: from 1 s up. */
  readonly backoff?: { readonly type: 'fixed' | 'exponential'; readonly delayMs: number };
  /** When `hub.signal` aborts and the try counts as failed, 100 to 900,000 ms. Default: 30,000. */
  readonly timeoutMs?: number;
  /** How many run at the same time, 1 to 50. Default: 1. */
  readonly concurrency?: number;
  /**
   * Runs the job by itself once in this many milliseconds for every connection, 10,000 at least; its data is null.
   * Without it the job runs only when `hub.jobs.emit` asks.
   */
  readonly everyMs?: number;
}

/**
 * A route for users of the hub, authenticated by their API key.
 * @example { method: 'GET', path: 'calls/:id', auth: 'workspace', summary: 'Read a call' }
 */
export interface RouteManifest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/v2/plugins/<id>/`, without a slash in front; segments are words or `:parameter`. */
  readonly path: string;
  /** Who may call: whoever has an API key of the workspace. There is no other kind yet. */
  readonly auth: 'workspace';
  /** A few words for the API reference. */
  readonly summary?: string;
  /** Scopes that the API key must hold, all of them. Default: `read` for GET, else `write`. */
  readonly scopes?: readonly ToolScope[];
  /** Lowest plan that sees the route; for everybody else it does not exist. Default: that of the plugin. */
  readonly minPlan?: ToolPlan;
  /** JSON Schema (an object of strings) of the query. Without it any query is passed on. */
  readonly query?: JsonSchema;
  /** JSON Schema of the JSON body, checked before the handler runs. Without it any JSON is passed on. */
  readonly body?: JsonSchema;
  /** The body is a file that is streamed to the handler instead of JSON. */
  readonly upload?: UploadManifest;
}

/**
 * What a route takes as a file.
 * @example { maxBytes: 50_000_000, contentTypes: ['text/csv'] }
 */
export interface UploadManifest {
  /** More is refused with 413; at most 1,000,000,000. */
  readonly maxBytes: number;
  /** Media types that are taken; others are refused with 415. */
  readonly contentTypes: readonly string[];
}

/**
 * What is known of a tool before its code is. It must agree with the `@McpTool` of the same name.
 * @example { visibility: 'agent', readOnly: true, idempotent: true, destructive: false }
 */
export interface ToolManifest {
  /** `internal` tools exist only for API keys with the scope `internal`. */
  readonly visibility: 'agent' | 'internal';
  /** The tool changes nothing. */
  readonly readOnly: boolean;
  /** The same call sent twice leaves the same state as sent once. */
  readonly idempotent: boolean;
  /** The tool may take something away. */
  readonly destructive: boolean;
  /** Lowest plan that sees the tool. Default: that of the plugin. */
  readonly minPlan?: ToolPlan;
}

/**
 * What is known of a resource or a prompt before its code is; an empty object says that it is there.
 * @example { minPlan: 'growth' }
 */
export interface ResourceManifest {
  /** Lowest plan that sees it. Default: that of the plugin. */
  readonly minPlan?: ToolPlan;
}

/**
 * A piece of the console. It holds no code: the console draws the `PanelData` that the route answers.
 * @example { slot: 'contact', kind: 'table', title: 'Calls', source: 'panel' }
 */
export interface PanelManifest {
  /** Where it stands: on the page of the integration, or on that of a contact (whose id comes as query `focus`). */
  readonly slot: 'integration' | 'contact';
  readonly kind: 'form' | 'badge' | 'table';
  /** Its heading. */
  readonly title: string;
  /** Name of a GET route of this plugin that answers the data. A form is sent to the POST route of the same path. */
  readonly source: string;
}
