import type { HubContext } from './hub-context.js';
import type { JsonObject } from './json.js';

/**
 * What became of a connection test.
 * - `ok`: the provider accepts the credentials and they may do what the plugin needs
 * - `bad_credentials`: it does not know them (401)
 * - `forbidden`: it knows them, but they may not (403)
 * - `unreachable`: no usable answer (no connection, 5xx, HTML)
 * @example { outcome: 'ok', message: 'Connected as ada@acme.io.' }
 */
export interface TestResult {
  readonly outcome: 'ok' | 'bad_credentials' | 'forbidden' | 'unreachable';
  /** A sentence for people that says what to do; no secret in it. */
  readonly message: string;
}

/**
 * How a connection is, for the badge in the console.
 * @example { webhook_active: true, message: 'The provider reports every booking.' }
 */
export interface CheckResult {
  /** Whether the provider still tells the hub what happens; null when the plugin has no webhook. */
  readonly webhook_active: boolean | null;
  readonly message?: string;
}

/**
 * The connection that a lifecycle method is about.
 * @example const { url, secret } = connection.inbound['bookings'];
 */
export interface ConnectionInfo {
  readonly id: string;
  /** The name that people gave it. */
  readonly name: string;
  /** By the names of the manifest's `inbound`. */
  readonly inbound: Readonly<Record<string, InboundAddress>>;
}

/**
 * Where the provider shall send a webhook.
 * @example await hub.http.request({ method: 'POST', url, json: { subscriber_url: address.url, secret: address.secret } });
 */
export interface InboundAddress {
  /** Unguessable, the same for the whole life of the connection; it begins with the hub's `PUBLIC_URL`. */
  readonly url: string;
  /** Generated, when the manifest says so; else undefined. */
  readonly secret: string | undefined;
}

/**
 * How a workspace is connected to the provider and parted from it. One class of the plugin implements it and bears
 * `@Lifecycle()`. A plugin without credentials may leave it out.
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
   * Asks the provider whether the credentials are good, by a call that changes nothing there. Runs before anything
   * is saved, so there is no connection and `hub.store` and `hub.graph` refuse. What it throws counts as `unreachable`.
   */
  test(hub: HubContext): Promise<TestResult>;
  /**
   * Finds or makes the subscription at the provider and keeps its id in `hub.store`. Calling it again must find what
   * it has made. When it throws, nothing is saved; a `PermanentError` tells people what to mend.
   */
  connect(hub: HubContext, connection: ConnectionInfo): Promise<void>;
  /** Removes the subscription. That the provider no longer knows it (404) is success; any other failure throws. */
  disconnect(hub: HubContext, connection: ConnectionInfo): Promise<void>;
  /** Looks whether the subscription still stands; asked now and then, changes nothing. */
  check?(hub: HubContext, connection: ConnectionInfo): Promise<CheckResult>;
}

/**
 * The methods of the lifecycle, for whoever looks for them.
 * @example lifecycleMethods.filter(name => typeof instance[name] !== 'function')
 */
export const lifecycleMethods = ['test', 'connect', 'disconnect'] as const;

/**
 * Credentials or settings of a connection, as the manifest's schema shapes them.
 * @example const { api_key } = hub.credentials as { api_key: string };
 */
export type ConnectionValues = JsonObject;
