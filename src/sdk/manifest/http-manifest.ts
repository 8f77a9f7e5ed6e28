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
