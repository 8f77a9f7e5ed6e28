import type { Json } from './json.js';

/**
 * Requests to the provider.
 * @example
 * ```ts
 * const answer = await hub.http.request({
 *   method: 'POST', url: `${hub.settings.api_url}/v2/webhooks`,
 *   headers: { authorization: `Bearer ${hub.credentials.api_key}` }, json: { url: address.url },
 * });
 * if (answer.status !== 201) throw new Error(`The provider answered ${answer.status}.`);
 * ```
 */
export interface HubHttp {
  /**
   * Sends a request and gives whatever answer comes, of any status. Redirects are not followed.
   * @throws Unreachable when no answer came in time, or when the address may not be reached
   */
  request(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Checks whether a URL may be called, without calling it, for the moment when it is saved. Resolves its host: a URL
   * whose host resolves only to addresses that the plugin may not reach is refused. A host that cannot be resolved
   * passes, because a resolver may fail for a moment; each request is checked again.
   * @throws Unreachable with sentences that say what is wrong and how to fix it
   * @example await hub.http.check('https://example.org/hooks');
   */
  check(url: string): Promise<void>;
}

/**
 * A request to the provider.
 * @example { url: 'https://api.acme.io/v1/calls', query: { limit: 100 }, timeoutMs: 5000 }
 */
export interface HttpRequest {
  /** Default: `GET`. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Absolute, http or https. */
  readonly url: string;
  /** Added to the url; an undefined value is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Values are redacted in logs when they hold a secret of the connection. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with its content type. Not together with `body`. */
  readonly json?: Json;
  /** Sent as it is. */
  readonly body?: string | Uint8Array;
  /** For one try, 100 to 60,000 ms. Default: 10,000. */
  readonly timeoutMs?: number;
  /**
   * Tries in all, 1 to 6. After 429, 502, 503, 504 or no answer it waits as `Retry-After` says, else 0.5 s doubled
   * each time. Default: 3 for GET, HEAD, PUT and DELETE; 1 for POST and PATCH, which may have taken effect.
   */
  readonly attempts?: number;
}

/**
 * What the provider answered.
 * @example const { data } = answer.json<{ data: { id: string } }>();
 */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, 10 MB at most. */
  readonly text: string;
  /** The body as JSON. @throws Unreachable with the first characters of the body when it is none */
  json<Body = Json>(): Body;
}
