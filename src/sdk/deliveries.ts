import type { Json } from './json.js';
import type { ToolPlan, ToolScope } from './tool.js';

/**
 * A webhook of the provider, checked and kept by the hub; first argument of `@OnInbound`. It may come twice, with
 * the same `id`.
 * @example
 * ```ts
 * @OnInbound('calls')
 * async receive({ json }: InboundDelivery, hub: HubContext) {
 *   const call = toCall(json);
 *   if (call) await hub.graph.record(call.focus, [call.observation]);
 * }
 * ```
 */
export interface InboundDelivery {
  /** Id of the event, as the manifest's `eventId` says. */
  readonly id: string;
  /** The body, byte for byte. */
  readonly raw: Uint8Array;
  /** Names in lower case; several values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; undefined when it is none. */
  readonly json: Json | undefined;
  /** When the hub took it. */
  readonly receivedAt: Date;
}

/**
 * A piece of background work; first argument of `@OnJob`. It may come twice.
 * @example
 * ```ts
 * @OnJob('backfill')
 * async backfill({ data }: PluginJob<{ email: string }>, hub: HubContext) { … }
 * ```
 */
export interface PluginJob<Data = Json> {
  /** The same at every try. */
  readonly id: string;
  /** As the manifest names it. */
  readonly name: string;
  /** What `hub.jobs.emit` was given; null when the job runs by itself (`everyMs`). */
  readonly data: Data;
  /** Which try this is, from 1. */
  readonly attempt: number;
}

/**
 * A call to a route of the plugin; first argument of `@OnRoute`. The caller's key and scopes have been checked.
 * @example
 * ```ts
 * @OnRoute('call')
 * async read({ params }: RouteRequest, hub: HubContext): Promise<RouteAnswer> {
 *   const call = await hub.store.get(`call:${params['id']}`);
 *   return call === undefined ? { status: 404, body: { error: 'call_not_found' } } : { body: call };
 * }
 * ```
 */
export interface RouteRequest<Body = Json> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Values of `:parameters` in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Of a parameter that is given twice, the last value. */
  readonly query: Readonly<Record<string, string>>;
  /** The JSON body, checked against the manifest's schema; undefined when there is none. */
  readonly body: Body | undefined;
  /** The file, when the manifest declares an upload. */
  readonly upload?: RouteUpload;
  /** What the caller may do; who it is stays with the hub. */
  readonly caller: { readonly plan: ToolPlan; readonly scopes: readonly ToolScope[] };
}

/**
 * A file on its way in. It can be read once.
 * @example for await (const chunk of request.upload.stream) bytes += chunk.byteLength;
 */
export interface RouteUpload {
  /** Media type without parameters, in lower case. */
  readonly contentType: string;
  /** Of `Content-Disposition`, without any path; undefined when the caller sent none. */
  readonly fileName?: string;
  readonly stream: AsyncIterable<Uint8Array>;
}

/**
 * The answer of a route.
 * @example return { status: 202, body: { import_id: id } };
 */
export interface RouteResponse {
  /** 200 to 599. Default: 200, or 204 without a body. */
  readonly status?: number;
  readonly body?: Json;
}
