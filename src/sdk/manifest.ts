import type { InboundManifest } from './manifest.inbound.js';
import type { JobManifest, ResourceManifest, PanelManifest, RouteManifest, ToolManifest } from './manifest.parts.js';
import type { JsonSchema } from './schema.js';
import type { ToolPlan } from './tool.js';

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
   * returned, and redacted in logs. Without it the plugin needs no credentials.
   */
  readonly credentials?: JsonSchema;
  /**
   * Settings of a connection: a JSON Schema of an object with a default for each field. The console renders it as a
   * form.
   */
  readonly settings?: JsonSchema;
  /** Background jobs by name; each has one `@OnJob`. */
  readonly jobs?: Readonly<Record<string, JobManifest>>;
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
  /** Panels of the console, rendered from data that a route of the plugin returns. */
  readonly panels?: readonly PanelManifest[];
}
