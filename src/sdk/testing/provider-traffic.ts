import type { Json } from '../json.js';

/**
 * A request that the plugin has sent.
 * @example expect(hub.http.sent.at(-1)).toMatchObject({ method: 'DELETE' });
 */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** What was given as `json`. */
  readonly json: Json | undefined;
  readonly body: string | Uint8Array | undefined;
}

/**
 * What a test lets the provider answer: JSON, or text when `body` is a string.
 * @example { status: 201, body: { data: { id: 'w-1' } } }
 */
export interface TestReply {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** No answer at all; why. */
  readonly unreachable?: string;
}
