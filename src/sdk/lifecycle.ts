import type { HubContext } from './hub-context.js';
import type { JsonObject } from './schema.js';

/**
 * Result of a connection test.
 * - `ok`: the provider accepts the credentials, and they have the permissions that the plugin needs
 * - `bad_credentials`: the provider rejects the credentials (401)
 * - `forbidden`: the credentials are valid but lack a permission (403)
 * - `unreachable`: no usable response (no connection, 5xx, HTML)
 * @example { outcome: 'ok', message: 'Connected as ada@acme.io.' }
 */
export interface TestResult {
  readonly outcome: 'ok' | 'bad_credentials' | 'forbidden' | 'unreachable';
  /** A sentence for users that says what to do. It must not contain secrets. */
  readonly message: string;
}

/**
 * State of a connection, for the badge in the console.
 * @example { webhook_active: true, message: 'The provider reports every booking.' }
 */
export interface CheckResult {
  /** Whether the webhook subscription at the provider is active; null if the plugin has no webhook. */
  readonly webhook_active: boolean | null;
  readonly message?: string;
}

/**
 * What a user looks for among the options of a setting.
 * @example if (request.field === 'pipeline') return listPipelines(hub, request.query);
 */
export interface OptionsRequest {
  /** A setting with `"options": "provider"` in the manifest. */
  readonly field: string;
  /** Part of the label that the user has typed; empty for all. */
  readonly query: string;
}

/**
 * A value that a setting can have.
 * @example { value: 'p-7', label: 'Enterprise deals', description: '5 stages' }
 */
export interface ConnectionOption {
  readonly value: string | number;
  /** For users. */
  readonly label: string;
  readonly description?: string;
}

/**
 * Settings and credentials as an older version of the plugin stored them.
 * @example if (stored.version.startsWith('1.')) return { ...stored, settings: renameRegion(stored.settings) };
 */
export interface StoredValues {
  /** Version of the plugin that stored them, from its package.json; `0.0.0` if it is unknown. */
  readonly version: string;
  readonly settings: JsonObject;
  readonly credentials: JsonObject;
}

/**
 * Settings and credentials in the form of the running version.
 * @example { settings: { region: 'eu' }, credentials: stored.credentials }
 */
export interface MigratedValues {
  readonly settings: JsonObject;
  readonly credentials: JsonObject;
}

/**
 * The connection passed to a lifecycle method.
 * @example const { url, secret } = connection.inbound['bookings'];
 */
export interface ConnectionInfo {
  readonly id: string;
  /** The name given by users. */
  readonly name: string;
  /** Webhook addresses by their names in the manifest's `inbound`. */
  readonly inbound: Readonly<Record<string, InboundAddress>>;
}

/**
 * Address to which the provider sends a webhook.
 * @example await hub.http.request({ method: 'POST', url, json: { subscriber_url: address.url, secret: address.secret } });
 */
export interface InboundAddress {
  /**
   * An unguessable URL that starts with the hub's `PUBLIC_URL` and stays the same for the lifetime of the connection.
   */
  readonly url: string;
  /** The generated secret; undefined unless the manifest sets `secretFrom: 'generated'`. */
  readonly secret: string | undefined;
}

/**
 * Connects a workspace to the provider and disconnects it. One class of the plugin implements it and has
 * `@Lifecycle()`. A plugin without credentials and webhooks may omit it.
 * @example
 * ```ts
 * @Lifecycle()
 * @Injectable()
 * export class AcmeConnection implements ConnectionLifecycle {
 *   async test(hub: HubContext): Promise<TestResult> { … }
 *   async connect(hub: HubContext, connection: ConnectionInfo): Promise<void> { … }
 *   async disconnect(hub: HubContext, connection: ConnectionInfo): Promise<void> { … }
 * }
 * ```
 */
export interface ConnectionLifecycle {
  /**
   * Tests the credentials with a read-only request to the provider. Runs before anything is saved: there is no
   * connection yet, and `hub.store` and `hub.graph` throw. An error counts as `unreachable`.
   */
  test(hub: HubContext): Promise<TestResult>;
  /**
   * Finds or creates the subscription at the provider and stores its ID in `hub.store`. A repeated call must find the
   * existing subscription. If it throws, nothing is saved; the message of a `PermanentError` tells users how to fix the
   * problem.
   */
  connect(hub: HubContext, connection: ConnectionInfo): Promise<void>;
  /** Removes the subscription. A 404 from the provider is a success; any other failure throws. */
  disconnect(hub: HubContext, connection: ConnectionInfo): Promise<void>;
  /**
   * Lists the values that a setting can have, such as pipelines, owners or lists, best first; the hub shows 200. Must not
   * change anything. Runs also before there is a connection: `hub.store` and `hub.graph` throw. Needed for settings with
   * `"options": "provider"`.
   */
  options?(hub: HubContext, request: OptionsRequest): Promise<readonly ConnectionOption[]>;
  /**
   * Converts settings and credentials that an older version stored. Called before the connection is used for the first
   * time by a new version, perhaps several times; makes no requests. Fields that the manifest does not declare are dropped.
   * If the result does not fit the manifest, or this throws, the connection gets the state `reconnect`, and users see the
   * reason; the message of a `PermanentError` is shown as it is.
   */
  migrate?(stored: StoredValues): Promise<MigratedValues> | MigratedValues;
  /** Checks whether the subscription still exists. Called periodically; must not change anything. */
  check?(hub: HubContext, connection: ConnectionInfo): Promise<CheckResult>;
}

/**
 * The required methods of the lifecycle.
 * @example lifecycleMethods.filter(name => typeof instance[name] !== 'function')
 */
export const lifecycleMethods = ['test', 'connect', 'disconnect'] as const;

/**
 * Credentials or settings of a connection, in the shape of the manifest's schema.
 * @example const { api_key } = hub.credentials as { api_key: string };
 */
export type ConnectionValues = JsonObject;
