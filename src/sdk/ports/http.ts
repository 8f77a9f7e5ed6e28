import type { Json } from '../schema.js';

/**
 * Sends HTTP requests to the provider.
 * @example
 * ```ts
 * const response = await hub.http.request({
 *   method: 'POST', url: `${hub.settings.api_url}/v2/webhooks`,
 *   headers: { authorization: `Bearer ${hub.credentials.api_key}` }, json: { url: address.url },
 * });
 * if (response.status !== 201) throw new Error(`The provider responded with ${response.status}.`);
 * ```
 */
export interface HubHttp {
  /**
   * Sends a request and returns the response, whatever its status. Redirects are not followed.
   * @throws UnreachableError if there is no response in time, or if plugins may not call the address
   * @throws PermanentError if the manifest declares `http` without the host, or for `auth` that it does not declare
   */
  request(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Sends a request and returns the response as soon as it begins, with its body as a stream of at most 1 GB, such as an
   * export or a recording. `timeoutMs` then limits the time until the response begins and the time between two parts of it.
   * @throws UnreachableError like {@link request}, and also while the stream is read
   * @example
   * ```ts
   * const { status, stream } = await hub.http.stream({ url: '/v1/export', auth: 'connection' });
   * if (status === 200) await hub.files.write({ name: 'export.csv' }, stream);
   * ```
   */
  stream(request: HttpRequest): Promise<HttpStreamResponse>;
  /**
   * Checks whether a URL may be called without calling it, for use when a URL is saved. Resolves its host and rejects
   * a URL whose host resolves only to addresses that the plugin may not reach. A host that cannot be resolved passes,
   * because a resolver may fail temporarily; each request is checked again.
   * @throws UnreachableError with a message that says what is wrong and how to fix it
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
  /** Absolute, http or https; or a path that begins with "/" and is added to `http.baseUrl` of the manifest. */
  readonly url: string;
  /** Added to the URL; undefined values are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Values that contain a secret of the connection are redacted in logs. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * `connection` sends the credential of the connection, as `http.auth` of the manifest says, or the access token of
   * `oauth2`. An expired token is refreshed before, and one that the provider refuses with 401 once afterwards; a second
   * 401 fails the request, and the connection waits until somebody signs in again. Default: nothing is sent.
   */
  readonly auth?: 'connection';
  /** Sent as JSON with its content type. Only one of `json`, `form` and `body` can be given. */
  readonly json?: Json;
  /** Sent as a form (`application/x-www-form-urlencoded`); undefined values are omitted. */
  readonly form?: Readonly<Record<string, string | number | boolean | undefined>>;
  /**
   * Sent unchanged. A stream, such as that of a file, is sent as it is read and only once, so there is one attempt. A
   * request with `auth` whose token the provider refuses then fails with `RetryLater`, after the token was refreshed.
   */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Number of bytes of a stream, for providers that need to know. Default: it is sent in chunks. */
  readonly bodyBytes?: number;
  /** Time limit of one attempt, 100 to 60,000 ms. Default: 10,000. */
  readonly timeoutMs?: number;
  /**
   * Maximum number of attempts, 1 to 6. After 429, 502, 503, 504 or no response, the next attempt follows after
   * `Retry-After`, or otherwise after 0.5 s, doubled each time. Default: 3 for GET, HEAD, PUT and DELETE; 1 for POST
   * and PATCH, which may have taken effect.
   */
  readonly attempts?: number;
}

/**
 * The response of the provider.
 * @example const { data } = response.json<{ data: { id: string } }>();
 */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, at most 10 MB. */
  readonly text: string;
  /** The bytes of the body, such as those of a recording or a PDF. */
  readonly bytes: Uint8Array;
  /** Parses the body as JSON. @throws UnreachableError with the first characters of the body if it is not JSON */
  json<Body = Json>(): Body;
}

/**
 * The response of the provider whose body is read as a stream.
 * @example for await (const bytes of response.stream) await parser.write(bytes);
 */
export interface HttpStreamResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body. A stream that is not read to its end is closed with the delivery. */
  readonly stream: AsyncIterable<Uint8Array>;
}
