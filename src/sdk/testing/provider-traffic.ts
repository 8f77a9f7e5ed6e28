import type { Json } from '../json.js';

/**
 * A request sent by the plugin.
 * @example expect(hub.http.sent.at(-1)).toMatchObject({ method: 'DELETE' });
 */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Value of `json` in the request. */
  readonly json: Json | undefined;
  readonly body: string | Uint8Array | undefined;
}

/**
 * Response of the fake provider: JSON, or text if `body` is a string.
 * @example { status: 201, body: { data: { id: 'w-1' } } }
 */
export interface TestReply {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set if the provider does not respond; the reason. */
  readonly unreachable?: string;
}
