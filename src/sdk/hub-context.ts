import type { GraphPort } from './graph-port.js';
import type { HubHttp } from './http.js';
import type { Json, JsonObject } from './json.js';

/**
 * The hub as a plugin sees it: ten words, made for one delivery in one workspace, and the second argument of every
 * handler (the first one of lifecycle methods). It is never injected and must not outlive the handler. A plugin
 * never names a workspace.
 * @example
 * ```ts
 * @OnJob('sync')
 * async sync({ data }: PluginJob, hub: HubContext<{ api_key: string }, { api_url: string }>) {
 *   const answer = await hub.http.request({ url: `${hub.settings.api_url}/calls`, query: { after: '…' } });
 *   hub.log.info('read calls', { status: answer.status });
 * }
 * ```
 */
export interface HubContext<Credentials = JsonObject, Settings = JsonObject> {
  /** People, companies and what is known of them. */
  readonly graph: GraphPort;
  /** The plugin's own background work. */
  readonly jobs: JobsPort;
  /** The plugin's own events. */
  readonly events: EventsPort;
  /** Small things that the plugin remembers for this connection. */
  readonly store: StorePort;
  /** Of the connection, decrypted; frozen. An empty object when there is no connection. */
  readonly credentials: Readonly<Credentials>;
  /** Of the connection, defaults filled in; frozen. */
  readonly settings: Readonly<Settings>;
  /** The only way out: other clients pass by the timeouts, the limits of addresses and the harness. */
  readonly http: HubHttp;
  /** The time. In tests it stands still until it is moved, so `new Date()` has no place in a plugin. */
  readonly clock: { now(): Date };
  /** Lines in the hub's log, with the plugin's id; known secrets are taken out. */
  readonly log: LogPort;
  /** Aborts when the handler's time is up or its caller has gone. */
  readonly signal: AbortSignal;
}

/**
 * Background work.
 * @example await hub.jobs.emit('backfill', { email }, { key: `backfill:${email}`, delayMs: 5000 });
 */
export interface JobsPort {
  /**
   * Puts a job of the manifest into the plugin's queue, for this connection.
   * @throws when the manifest declares no job of that name, or when `data` exceeds 256 kB as JSON
   */
  emit(name: string, data: Json, options?: JobOptions): Promise<void>;
}

/**
 * How a job is put into the queue.
 * @example { key: 'contact-7', delayMs: 60_000 }
 */
export interface JobOptions {
  /** While a job of this name and key waits or runs, another one is not added. Default: every job is added. */
  readonly key?: string;
  /** Pause before it runs, in milliseconds. Default: 0. */
  readonly delayMs?: number;
  /**
   * With `key`: one that waits is brought forward to `delayMs` from now, if that is sooner, and one that runs already is
   * run once more afterwards. For work of the kind "look what there is to do". Default: false.
   */
  readonly wake?: boolean;
}

/**
 * The plugin's own events.
 * @example await hub.events.emit('acme-dialer.called', { call_id: 'c-1' });
 */
export interface EventsPort {
  /**
   * Publishes an event that the manifest lists in `emits`, to all plugins of the workspace that consume it.
   * @throws when the manifest does not list it, or when the payload does not fit its schema
   */
  emit(type: string, payload: JsonObject): Promise<void>;
}

/**
 * A key-value store of the plugin, apart for each connection. Keys are at most 200 characters, values 64 kB as JSON.
 * Removing the connection empties it.
 * @example
 * ```ts
 * const cursor = await hub.store.get<string>('cursor');
 * await hub.store.put('cursor', next);
 * ```
 */
export interface StorePort {
  /** The value under a key; undefined when there is none. */
  get<Value extends Json = Json>(key: string): Promise<Value | undefined>;
  /** The values under several keys at once, at most 1000; those that are not there are left out. */
  getMany<Value extends Json = Json>(keys: readonly string[]): Promise<ReadonlyMap<string, Value>>;
  /** Sets a value, whatever was there. */
  put(key: string, value: Json, options?: StorePutOptions): Promise<void>;
  /** Takes a value away; that there is none is well. */
  delete(key: string): Promise<void>;
  /** Values whose keys begin with `prefix`, by key in the order of their bytes. */
  list<Value extends Json = Json>(prefix: string, options?: StoreListOptions): Promise<readonly StoreEntry<Value>[]>;
  /**
   * Does all of these changes or none of them; at most 1000. False, and nothing is changed, when a key that must be new
   * is there already.
   */
  write(changes: readonly StoreChange[]): Promise<boolean>;
}

/**
 * How long a value stays.
 * @example { expiresInMs: 30 * 86_400_000 }
 */
export interface StorePutOptions {
  /** After this many milliseconds the value is gone. Default: it stays. */
  readonly expiresInMs?: number;
}

/**
 * Which part of a list is read.
 * @example { after: entries.at(-1)?.key, limit: 100 }
 */
export interface StoreListOptions {
  /** Only keys behind this one, in the order of the list. */
  readonly after?: string;
  /** 1 to 1000. Default: 100. */
  readonly limit?: number;
  /** The last key first. Default: false. */
  readonly reverse?: boolean;
}

/**
 * A value with its key.
 * @example for (const { key, value } of await hub.store.list<Call>('call:')) …
 */
export interface StoreEntry<Value extends Json = Json> {
  readonly key: string;
  readonly value: Value;
}

/**
 * One of the changes of `write`.
 * @example { key: 'seen:c-1', value: true, mustBeNew: true, expiresInMs: 86_400_000 }
 */
export interface StoreChange extends StorePutOptions {
  readonly key: string;
  /** Without it the key is taken away. */
  readonly value?: Json;
  /** Where the key is there already, none of the changes is made. */
  readonly mustBeNew?: boolean;
}

/**
 * The log. `details` are fields; an `Error` among them is written with its stack.
 * @example hub.log.warn('the provider left a booking without attendees', { uid });
 */
export interface LogPort {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
  error(message: string, details?: Readonly<Record<string, unknown>>): void;
}
