import type { FilesPort } from './files.js';
import type { GraphPort } from './ports/graph-port.js';
import type { HubHttp } from './ports/http.js';
import type { RunsPort } from './runs.js';
import type { Json, JsonObject } from './schema.js';

/**
 * The hub as seen by a plugin, created for one delivery in one workspace. It is the second argument of every handler
 * and the first one of lifecycle methods. It is never injected and must not be used after the handler has ended. A
 * plugin never names a workspace.
 * @example
 * ```ts
 * @OnJob('sync')
 * async sync({ data }: PluginJob, hub: HubContext<{ api_key: string }, { api_url: string }>) {
 *   const response = await hub.http.request({ url: `${hub.settings.api_url}/calls`, query: { after: '…' } });
 *   hub.log.info('read calls', { status: response.status });
 * }
 * ```
 */
export interface HubContext<Credentials = JsonObject, Settings = JsonObject> {
  /** People, companies and their claims. */
  readonly graph: GraphPort;
  /** The plugin's own background jobs. */
  readonly jobs: JobsPort;
  /** Long work of the plugin in steps, such as imports. */
  readonly runs: RunsPort;
  /** The plugin's own events. */
  readonly events: EventsPort;
  /** Key-value store of the plugin for this connection. */
  readonly store: StorePort;
  /** Files of the plugin in this workspace. */
  readonly files: FilesPort;
  /** Decrypted credentials of the connection, frozen. An empty object if there is no connection. */
  readonly credentials: Readonly<Credentials>;
  /** Settings of the connection with defaults filled in, frozen. */
  readonly settings: Readonly<Settings>;
  /** HTTP client for all outgoing requests. Other clients would bypass timeouts, address rules and the test harness. */
  readonly http: HubHttp;
  /** The current time. Use it instead of `new Date()`: tests control it. */
  readonly clock: { now(): Date };
  /** Writes to the hub's log, with the plugin's ID; known secrets are redacted. */
  readonly log: LogPort;
  /** Aborts when the handler times out or its caller disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Queues background jobs.
 * @example await hub.jobs.emit('backfill', { email }, { key: `backfill:${email}`, delayMs: 5000 });
 */
export interface JobsPort {
  /**
   * Queues a job of the manifest for this connection.
   * @throws Error if the manifest declares no job of that name, or if `data` exceeds 256 kB as JSON
   */
  emit(name: string, data: Json, options?: JobOptions): Promise<void>;
}

/**
 * Options of a queued job.
 * @example { key: 'contact-7', delayMs: 60_000 }
 */
export interface JobOptions {
  /** Deduplicates: while a job of this name and key waits or runs, no other is added. Default: every job is added. */
  readonly key?: string;
  /** Delay before the job runs, in milliseconds. Default: 0. */
  readonly delayMs?: number;
  /**
   * With `key`: reschedules a waiting job to `delayMs` from now if that is sooner, and runs a job that is already
   * running once more afterwards. For jobs that process whatever is pending. Default: false.
   */
  readonly wake?: boolean;
}

/**
 * The plugin's own events.
 * @example await hub.events.emit('acme-dialer.called', { call_id: 'c-1' });
 */
export interface EventsPort {
  /**
   * Publishes an event that the manifest lists in `emits` to all plugins of the workspace that consume it.
   * @throws Error if the manifest does not list it, or if the payload does not match its schema
   */
  emit(type: string, payload: JsonObject): Promise<void>;
}

/**
 * Key-value store of the plugin, separate for each connection. Keys have at most 200 characters, values at most 64 kB
 * as JSON. Removing the connection deletes its entries.
 * @example
 * ```ts
 * const cursor = await hub.store.get<string>('cursor');
 * await hub.store.put('cursor', next);
 * ```
 */
export interface StorePort {
  /** Returns the value of a key; undefined if there is none, as for a key that is too long for any value. */
  get<Value extends Json = Json>(key: string): Promise<Value | undefined>;
  /** Returns the values of up to 1000 keys; missing keys are omitted. */
  getMany<Value extends Json = Json>(keys: readonly string[]): Promise<ReadonlyMap<string, Value>>;
  /** Sets a value and replaces any previous one. */
  put(key: string, value: Json, options?: StorePutOptions): Promise<void>;
  /** Deletes a value. Does nothing if there is none. */
  delete(key: string): Promise<void>;
  /** Lists values whose keys start with `prefix`, ordered by the bytes of the key. */
  list<Value extends Json = Json>(prefix: string, options?: StoreListOptions): Promise<readonly StoreEntry<Value>[]>;
  /**
   * Applies up to 1000 changes atomically. Returns false and changes nothing if a key that must be new exists
   * already.
   * @param act what the changes mean, for the audit log of the workspace; recorded in the same transaction
   */
  write(changes: readonly StoreChange[], act?: StoreAct): Promise<boolean>;
}

/**
 * Options of `put`.
 * @example { expiresInMs: 30 * 86_400_000 }
 */
export interface StorePutOptions {
  /** Time to live in milliseconds. Default: unlimited. */
  readonly expiresInMs?: number;
}

/**
 * Selects a part of a list.
 * @example { after: entries.at(-1)?.key, limit: 100 }
 */
export interface StoreListOptions {
  /** Returns only keys after this one, in the order of the list. */
  readonly after?: string;
  /** 1 to 1000. Default: 100. */
  readonly limit?: number;
  /** Reverses the order. Default: false. */
  readonly reverse?: boolean;
  /**
   * Lists values that the hub cannot decrypt, because it lacks their key, as `locked` ones. Default: false, and the call
   * fails: a delivery then waits until the key is back. Use it to show a list to people.
   */
  readonly includeLocked?: boolean;
}

/**
 * A value with its key.
 * @example for (const { key, value } of await hub.store.list<Call>('call:')) …
 */
export interface StoreEntry<Value extends Json = Json> {
  readonly key: string;
  readonly value: Value;
  /** Present if the value cannot be decrypted; `value` is null then. */
  readonly locked?: { /** When it was written, ISO 8601. */ readonly updatedAt: string };
}

/**
 * A change of `write`.
 * @example { key: 'seen:c-1', value: true, mustBeNew: true, expiresInMs: 86_400_000 }
 */
export interface StoreChange extends StorePutOptions {
  readonly key: string;
  /** The new value. If omitted, the key is deleted. */
  readonly value?: Json;
  /** If the key exists already, none of the changes is applied. */
  readonly mustBeNew?: boolean;
}

/**
 * A change of settings, for the audit log of the workspace. The hub adds who performs it, when, and from where. Leave out
 * secrets and personal data: the entry stays when people are erased.
 * @example { action: 'create', objectId: endpoint.id, after: { events: ['reply.received'] } }
 */
export interface StoreAct {
  /** A verb, such as `create`; the hub puts the plugin's ID before it. Lower-case letters and underscores. */
  readonly action: string;
  /** ID of the object, never a name or address. */
  readonly objectId: string;
  /** The setting before the act. Default: none. */
  readonly before?: JsonObject;
  /** The setting after the act. Default: none. */
  readonly after?: JsonObject;
}

/**
 * Writes log lines. `details` are structured fields; an `Error` among them is logged with its stack.
 * @example hub.log.warn('booking without attendees', { uid });
 */
export interface LogPort {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
  error(message: string, details?: Readonly<Record<string, unknown>>): void;
}
