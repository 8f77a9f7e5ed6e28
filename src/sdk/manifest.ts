import type { InboundManifest } from './manifest.inbound.js';
import type { JobManifest, ResourceManifest, PanelManifest, RouteManifest, ToolManifest } from './manifest.parts.js';
import type { JsonSchema } from './schema.js';
import type { ToolPlan } from './tool.js';

/**
 * What a plugin is, as data: known before any of its code runs, and the same after a trip through JSON. It is the
 * default export of the entry `./manifest` of the plugin's package. The version is not here; package.json has it.
 * What is declared here and what the code handles are compared both ways when the plugin is loaded.
 * @example
 * ```ts
 * export default {
 *   id: 'acme-dialer',
 *   displayName: 'Acme Dialer',
 *   description: 'Calls of your team on the timeline of whom they were with.',
 *   sdk: '^1.0.0',
 *   minPlan: 'starter',
 *   credentials: { type: 'object', required: ['api_key'], properties: { api_key: { type: 'string', secret: true } } },
 *   inbound: { calls: { signature: { algorithm: 'hmac-sha256', header: 'x-acme-signature', secretFrom: 'generated' } } },
 * } satisfies PluginManifest;
 * ```
 */
export interface PluginManifest {
  /**
   * kebab-case, at most 40 characters; names the plugin's queue, store, routes and events, and begins the names of
   * its tools (`acme_dialer_…`).
   */
  readonly id: string;
  /** The plugin's name for people. */
  readonly displayName: string;
  /** One sentence that says what connecting it does. */
  readonly description: string;
  /** The versions of this package that the plugin was written for, as a semver range such as `^1.0.0`. */
  readonly sdk: string;
  /** Lowest plan that may enable the plugin. A tool, a resource, a prompt or a route may ask for a higher one, never for a lower. */
  readonly minPlan: ToolPlan;
  /** An image as a `data:` URL of at most 20,000 characters, or the name of a lucide icon. */
  readonly icon?: string;
  /** Where people read how to use the plugin; https. */
  readonly docsUrl?: string;
  /**
   * What a connection needs to reach the provider: a JSON Schema of an object. Fields with `"secret": true` are kept
   * encrypted, never returned, and redacted in logs. Without it the plugin needs no credentials.
   */
  readonly credentials?: JsonSchema;
  /** What people may adjust: a JSON Schema of an object, with a default for each field. Drawn as a form. */
  readonly settings?: JsonSchema;
  /** Work in the background, by name; each has one `@OnJob`. */
  readonly jobs?: Readonly<Record<string, JobManifest>>;
  /** Events of the hub (`EventMap`) or of another plugin that the plugin wants; each has one `@OnEvent` or `@OnEvents`. */
  readonly consumes?: readonly string[];
  /**
   * Events come from those workspaces alone where the plugin keeps something in its store; a text: something whose key
   * begins so. For a plugin that needs no connection, and then can have none, and that most workspaces never use.
   * Default: false.
   */
  readonly dormant?: boolean | string;
  /** Events that the plugin publishes, named `<id>.<what_happened>`, each with the JSON Schema of its payload. */
  readonly emits?: Readonly<Record<string, JsonSchema>>;
  /** Webhooks of the provider, by name, received at `/hooks/:connection/:name`; each has one `@OnInbound`. */
  readonly inbound?: Readonly<Record<string, InboundManifest>>;
  /** Routes for users of the hub, by name, below `/v2/plugins/<id>/`; each has one `@OnRoute`. */
  readonly routes?: Readonly<Record<string, RouteManifest>>;
  /** Tools for agents, by their full name; each has one `@McpTool`, where its description and schemas stand. */
  readonly tools?: Readonly<Record<string, ToolManifest>>;
  /** Resources for clients of agents, by their address (`<id>://…`); each has one `@McpResource`. */
  readonly resources?: Readonly<Record<string, ResourceManifest>>;
  /** Prompts that users pick, by their full name; each has one `@McpPrompt`. */
  readonly prompts?: Readonly<Record<string, ResourceManifest>>;
  /** What the console shows of the plugin, drawn by the console from data that a route of the plugin gives. */
  readonly panels?: readonly PanelManifest[];
}
