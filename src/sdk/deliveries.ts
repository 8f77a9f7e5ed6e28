import type { Json } from './schema.js';
import type { ToolPlan, ToolScope } from './tool.js';

/**
 * A webhook from the provider, verified and stored by the hub; first argument of `@OnInbound`. It may be delivered
 * more than once, with the same `id`.
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
  /** ID of the event, read from the location in the manifest's `eventId`. */
  readonly id: string;
  /** The raw bytes of the body. */
  readonly raw: Uint8Array;
  /** Names in lower case; several values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly json: Json | undefined;
  /** Time at which the hub received the webhook. */
  readonly receivedAt: Date;
}

/**
 * A background job; first argument of `@OnJob`. It may run more than once.
 * @example
 * ```ts
 * @OnJob('backfill')
 * async backfill({ data }: PluginJob<{ email: string }>, hub: HubContext) { … }
 * ```
 */
export interface PluginJob<Data = Json> {
  /** The same in every attempt. */
  readonly id: string;
  /** Name of the job in the manifest. */
  readonly name: string;
  /** The data passed to `hub.jobs.emit`; null for a periodic run (`everyMs`). */
  readonly data: Data;
  /** Number of this attempt, starting at 1. */
  readonly attempt: number;
}

/**
 * A request to a route of the plugin; first argument of `@OnRoute`. The API key and its scopes are already checked.
 * @example
 * ```ts
 * @OnRoute('call')
 * async read({ params }: RouteRequest, hub: HubContext): Promise<RouteResponse> {
 *   const call = await hub.store.get(`call:${params['id']}`);
 *   return call === undefined ? { status: 404, body: { error: 'call_not_found' } } : { body: call };
 * }
 * ```
 */
export interface RouteRequest<Body = Json> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Values of `:parameters` in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** If a parameter occurs more than once, its last value. */
  readonly query: Readonly<Record<string, string>>;
  /** The JSON body, validated against the manifest's schema; if there is none, `{}` with a schema, else undefined. */
  readonly body: Body | undefined;
  /** The file; present if the manifest declares an upload. */
  readonly upload?: RouteUpload;
  /** Permissions of the caller. The hub does not disclose the caller's identity. */
  readonly caller: { readonly plan: ToolPlan; readonly scopes: readonly ToolScope[] };
}

/**
 * An uploaded file: the body itself, or the first file of a `multipart/form-data` body. Its stream can be read once, at
 * the pace of the sender: the request lasts as long as bytes arrive. Store it with `hub.files.write`.
 * @example for await (const chunk of request.upload.stream) bytes += chunk.byteLength;
 */
export interface RouteUpload {
  /** Media type without parameters, in lower case. */
  readonly contentType: string;
  /** File name without its path, from `Content-Disposition` or the form; undefined if the caller sent none. */
  readonly fileName?: string;
  /** Fields of the form that stand before the file; empty if the file is the body itself. */
  readonly fields: Readonly<Record<string, string>>;
  readonly stream: AsyncIterable<Uint8Array>;
}

/**
 * The response of a route: JSON, a file, or a redirect.
 * @example return { status: 202, body: { import_id: id } };
 * @example return { file: report.id, fileName: 'rejected-rows.csv' };
 */
export interface RouteResponse {
  /** 200 to 599. Default: 200, 204 without a body, or 303 for a redirect. */
  readonly status?: number;
  readonly body?: Json;
  /** ID of a file of the plugin, which is sent as a download; the caller may request a part of it with `Range`. */
  readonly file?: string;
  /** Name of the download. Default: the name of the file. */
  readonly fileName?: string;
  /** Address that the caller is redirected to: an absolute https or http URL, or a path of the hub. */
  readonly redirect?: string;
}
