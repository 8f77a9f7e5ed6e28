/**
 * Where a plugin sends requests. A request to any other host is refused, so that operators know where data goes.
 * @example { baseUrl: 'settings.api_url', hosts: ['uploads.acme.io', '*.cdn.acme.io'] }
 */
export interface HttpManifest {
  /**
   * Address that URLs beginning with "/" are added to: an absolute https URL, or `settings.<field>` or
   * `credentials.<field>` for the one that the user sets. Its host may be called.
   */
  readonly baseUrl?: string;
  /** Further hosts: a name, `*.` and a domain for all names below it, or a reference as in `baseUrl`. */
  readonly hosts?: readonly string[];
  /** The header that `auth: 'connection'` adds to a request of a connection with pasted credentials. Default: none. */
  readonly auth?: HttpAuthManifest;
  /**
   * Limits of the provider, which the hub keeps over all its processes: a request waits for its turn, at most 5 s, and
   * otherwise fails with `RetryLater`, as it does after a 429 with a longer `Retry-After`. Default: none.
   */
  readonly limits?: readonly HttpLimitManifest[];
}

/**
 * A limit of the provider: at most `requests` within any period of `perMs`.
 * @example { requests: 100, perMs: 10_000 }
 * @example { requests: 250_000, perMs: 86_400_000, atOnce: 100_000, per: 'operator' }
 */
export interface HttpLimitManifest {
  /** Maximum number of requests within any period. */
  readonly requests: number;
  /** Length of the period in milliseconds, 100 to 86,400,000. */
  readonly perMs: number;
  /**
   * Requests that may be sent at once; the others of the period are spread over it. Fewer let more through on average.
   * Default: a tenth of `requests`, at least 1.
   */
  readonly atOnce?: number;
  /** Whose requests are counted: each connection's, or those of all connections of the operator's client. Default: `connection`. */
  readonly per?: 'connection' | 'operator';
  /** Paths that the limit is for; `*` stands for one segment. Default: all. */
  readonly paths?: readonly string[];
}

/**
 * How a credential is sent. Connections by OAuth 2.0 send `Authorization: Bearer …` instead.
 * @example { credential: 'api_key', header: 'x-api-key', prefix: '' }
 */
export interface HttpAuthManifest {
  /** A field of the credentials. */
  readonly credential: string;
  /** Name of the header, in lower case. Default: `authorization`. */
  readonly header?: string;
  /** Text before the value. Default: `Bearer ` with its space. */
  readonly prefix?: string;
}
