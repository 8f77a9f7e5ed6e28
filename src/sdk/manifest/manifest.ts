import type { HttpManifest } from './http-manifest.js';
import type { OAuth2ByProvider, OAuth2Manifest } from './oauth2-manifest.js';
import type { PanelManifest } from '../panels.js';
import type { JsonSchema } from '../schema.js';
import type { ToolPlan, ToolScope } from '../tool.js';

/**
 * Execution options of a job. Limits apply per job name and process of the hub.
 * @example { attempts: 8, backoff: { type: 'exponential', delayMs: 2000 }, timeoutMs: 60_000, concurrency: 2 }
 */
export interface JobManifest {
  /** JSON Schema of the data, checked by `hub.jobs.emit`. Without it any JSON is accepted. */
  readonly data?: JsonSchema;
  /** Maximum number of attempts before the job becomes a dead letter, 1 to 50. Default: 12. */
  readonly attempts?: number;
  /** Delay before the next attempt in milliseconds: constant, or doubled each time. Default: exponential from 1 s. */
  readonly backoff?: { readonly type: 'fixed' | 'exponential'; readonly delayMs: number };
  /** Time limit of an attempt, 100 to 900,000 ms. `hub.signal` then aborts and the attempt fails. Default: 30,000. */
  readonly timeoutMs?: number;
  /**
   * Maximum number of concurrent runs, 1 to 50; of one workspace one less, so that others do not wait for it, and half
   * while others are active. Default: 1, in turns.
   */
  readonly concurrency?: number;
  /**
   * Interval in milliseconds, at least 10,000, in which the job runs for every connection with null as its data.
   * Without it the job runs only after `hub.jobs.emit`.
   */
  readonly everyMs?: number;
}

/**
 * How a run is executed, and how users see it.
 * @example { title: 'Import people', stepTimeoutMs: 60_000, sync: false }
 */
export interface RunManifest {
  /** What the run does, for users, such as `Import people`. */
  readonly title: string;
  /** JSON Schema of the input, checked by `hub.runs.start`. Without it any JSON is accepted. */
  readonly input?: JsonSchema;
  /** One sentence about what the run changes. */
  readonly description?: string;
  /** The run keeps the graph in step with a provider. Triggers deliver its failure as `sync.failed`. Default: false. */
  readonly sync?: boolean;
  /** Time limit of a step, 1,000 to 900,000 ms. `run.signal` then aborts and the step fails. Default: 60,000. */
  readonly stepTimeoutMs?: number;
  /** Attempts of a step before the run fails, 1 to 50. Default: 12. */
  readonly attempts?: number;
  /** Delay before the next attempt of a step. Default: exponential from 1 s. */
  readonly backoff?: JobManifest['backoff'];
  /**
   * Maximum number of steps of this name that one process runs at once, 1 to 50; of one workspace one less, and half
   * while others are active. Default: 4.
   */
  readonly concurrency?: number;
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
 * A webhook from the provider. The hub verifies the signature over the raw bytes, stores them, responds 200, and
 * calls `@OnInbound` from a job.
 * @example
 * ```ts
 * { signature: { algorithm: 'hmac-sha256', header: 'x-hub-signature-256', prefix: 'sha256=', secretFrom: 'generated' },
 *   eventId: { header: 'x-github-delivery' } }
 * ```
 */
export interface InboundManifest {
  /** How the provider signs its webhooks; null if it does not, so that only the secret address protects the webhook. */
  readonly signature: InboundSignature | null;
  /** Verification request that the provider sends first; the hub responds to it. */
  readonly handshake?: InboundHandshake;
  /**
   * Location of the delivery ID: a header, or a field of the JSON body (`a.b` is a nested field). Deliveries with a
   * known ID are accepted and dropped. Default: `webhook-id` for `standard-webhooks` signatures, otherwise the SHA-256
   * of the body.
   */
  readonly eventId?: { readonly header: string } | { readonly field: string };
}

/**
 * An HMAC over the body. `standard-webhooks` stands for the complete scheme of that standard (headers `webhook-id`,
 * `webhook-timestamp`, `webhook-signature`), which needs only `secretFrom`.
 * @example { algorithm: 'hmac-sha256', header: 'x-slack-signature', prefix: 'v0=', secretFrom: 'signing_secret',
 *   signed: 'v0:{timestamp}:{body}', timestampHeader: 'x-slack-request-timestamp' }
 */
export type InboundSignature = HmacSignature | StandardWebhooksSignature;

/**
 * A signature in a format of the provider.
 * @example { algorithm: 'hmac-sha256', header: 'x-cal-signature-256', secretFrom: 'generated' }
 */
export interface HmacSignature {
  readonly algorithm: 'hmac-sha256' | 'hmac-sha1' | 'hmac-sha512';
  /** The header with the signature, in lower case. */
  readonly header: string;
  /** Encoding of the signature. Default: `hex`, in upper or lower case. */
  readonly encoding?: 'hex' | 'base64';
  /** Text before the signature in the header, such as `sha256=`. Default: none. */
  readonly prefix?: string;
  readonly secretFrom: SecretFrom;
  /** Template of the signed text, with `{body}` and `{timestamp}`. Default: `{body}`. */
  readonly signed?: string;
  /** The header with the time in seconds since 1970, in lower case; required if `signed` contains `{timestamp}`. */
  readonly timestampHeader?: string;
  /** Maximum difference between that time and now, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
}

/**
 * The scheme of standardwebhooks.com.
 * @example { algorithm: 'standard-webhooks', secretFrom: 'generated' }
 */
export interface StandardWebhooksSignature {
  readonly algorithm: 'standard-webhooks';
  readonly secretFrom: SecretFrom;
}

/**
 * Source of the signing key: `generated` by the hub for each connection and passed to `connect`, or the name of a
 * secret field of the credentials, for providers that generate the key.
 * @example const from: SecretFrom = 'generated';
 */
export type SecretFrom = 'generated' | (string & {});

/**
 * Request with which a provider verifies the address: a GET whose query parameter is echoed, or a POST in which one
 * field has a certain value and another one is echoed. The response is plain text.
 * @example { method: 'POST', when: { field: 'type', equals: 'url_verification' }, echo: 'challenge' }
 */
export type InboundHandshake =
  | { readonly method: 'GET'; readonly echo: string }
  | {
      readonly method: 'POST';
      readonly when: { readonly field: string; readonly equals: string };
      readonly echo: string;
    };

/**
 * Describes a plugin as plain JSON data, which is read before any of its code runs. It is the default export of the
 * entry `./manifest` of the plugin's package. The version is in package.json. When the plugin is loaded, the
 * declarations are compared with the handlers in the code in both directions.
 * @example
 * ```ts
 * export default {
 *   id: 'acme-dialer',
 *   displayName: 'Acme Dialer',
 *   description: 'Logs the calls of your team on the timelines of your contacts.',
 *   sdk: '^1.0.0',
 *   minPlan: 'starter',
 *   credentials: { type: 'object', required: ['api_key'], properties: { api_key: { type: 'string', secret: true } } },
 *   inbound: { calls: { signature: { algorithm: 'hmac-sha256', header: 'x-acme-signature', secretFrom: 'generated' } } },
 * } satisfies PluginManifest;
 * ```
 */
export interface PluginManifest {
  /**
   * ID in kebab-case, at most 40 characters. Identifies the plugin's queue, store, routes and events, and prefixes
   * the names of its tools (`acme_dialer_…`).
   */
  readonly id: string;
  /** The plugin's name shown to users. */
  readonly displayName: string;
  /** One sentence about what connecting the plugin does. */
  readonly description: string;
  /** The versions of this package that the plugin was written for, as a semver range such as `^1.0.0`. */
  readonly sdk: string;
  /**
   * Lowest plan that may enable the plugin. A tool, resource, prompt or route may require a higher plan, never a lower
   * one.
   */
  readonly minPlan: ToolPlan;
  /** An image as a `data:` URL of at most 20,000 characters, or the name of a lucide icon. */
  readonly icon?: string;
  /** https address of the user documentation. */
  readonly docsUrl?: string;
  /**
   * Credentials of a connection: a JSON Schema of an object. Fields with `"secret": true` are stored encrypted, never
   * returned, and redacted in logs. Without it and `oauth2` the plugin needs no credentials.
   */
  readonly credentials?: JsonSchema;
  /**
   * Whether a workspace may have several connections, such as one for each account at the provider, each with a
   * name. Events then reach every one, and calls of routes and tools name one in `connection_id` if there are several.
   * Default: false.
   */
  readonly multipleConnections?: boolean;
  /**
   * Settings of a connection: a JSON Schema of an object with a default for each field. The console renders it as a
   * form. For a field with `"options": "provider"`, `ConnectionLifecycle.options` lists the values.
   */
  readonly settings?: JsonSchema;
  /** Where the plugin sends requests. Without it URLs are absolute, and any public host may be called. */
  readonly http?: HttpManifest;
  /**
   * Sign-in by OAuth 2.0, at one provider or at one of several. With `credentials` too, users can connect either way.
   * Needs `http`.
   */
  readonly oauth2?: OAuth2Manifest | OAuth2ByProvider;
  /** Background jobs by name; each has one `@OnJob`. */
  readonly jobs?: Readonly<Record<string, JobManifest>>;
  /** Long work in steps, by name; each has one `@OnRun`. */
  readonly runs?: Readonly<Record<string, RunManifest>>;
  /**
   * Events of the hub (`EventMap`) or of other plugins that the plugin consumes; each has one `@OnEvent` or
   * `@OnEvents`.
   */
  readonly consumes?: readonly string[];
  /**
   * Delivers events only from workspaces in which the plugin has an entry in its store; a string requires a key with
   * this prefix. For a plugin that most workspaces never use. Such a plugin cannot have connections. Default: false.
   */
  readonly dormant?: boolean | string;
  /** Events that the plugin publishes, named `<id>.<what_happened>`, each with the JSON Schema of its payload. */
  readonly emits?: Readonly<Record<string, JsonSchema>>;
  /** Webhooks from the provider by name, received at `/hooks/:connection/:name`; each has one `@OnInbound`. */
  readonly inbound?: Readonly<Record<string, InboundManifest>>;
  /** Routes for users of the hub by name, below `/v2/plugins/<id>/`; each has one `@OnRoute`. */
  readonly routes?: Readonly<Record<string, RouteManifest>>;
  /** Tools for agents by full name; each has one `@McpTool` with its description and schemas. */
  readonly tools?: Readonly<Record<string, ToolManifest>>;
  /** Resources for MCP clients by URI (`<id>://…`); each has one `@McpResource`. */
  readonly resources?: Readonly<Record<string, ResourceManifest>>;
  /** Prompts for users by full name; each has one `@McpPrompt`. */
  readonly prompts?: Readonly<Record<string, ResourceManifest>>;
  /**
   * A page of its own in the console. `sync` is the page of the CRM sync: what a dry run would do, what was synced, what
   * waits for a decision. See `syncPage` for the run and the routes that it needs. Default: none.
   */
  readonly page?: 'sync';
  /** Panels of the console, rendered from data that a route of the plugin returns. */
  readonly panels?: readonly PanelManifest[];
}
