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
}
