/**
 * Sign-in at the provider by OAuth 2.0 (authorization code, RFC 6749). The hub sends the user to the provider, keeps
 * the tokens encrypted, and refreshes them; the plugin sends requests with `auth: 'connection'` and sees no token. The
 * operator registers the hub with the provider and sets its client in `OAUTH_CLIENTS`.
 *
 * `{settings.<field>}` in an address stands for a setting, which must have an `enum`, so that nobody can have the
 * operator's client secret sent elsewhere.
 * @example
 * ```ts
 * oauth2: {
 *   authorizeUrl: 'https://acme.io/oauth/authorize',
 *   tokenUrl: 'https://api.acme.io/oauth/token',
 *   revokeUrl: 'https://api.acme.io/oauth/revoke',
 *   scopes: ['contacts.read', 'contacts.write'],
 * },
 * http: { baseUrl: 'https://api.acme.io' },
 * ```
 */
export interface OAuth2Manifest {
  /** Name of the provider as people know it. Default: `displayName` of the plugin. */
  readonly providerName?: string;
  /** Page of the provider on which a user signs in and approves. */
  readonly authorizeUrl: string;
  /** Endpoint that issues and refreshes tokens. */
  readonly tokenUrl: string;
  /** Endpoint that revokes tokens (RFC 7009), called after a disconnection. Default: tokens are not revoked. */
  readonly revokeUrl?: string;
  /** Permissions to request. */
  readonly scopes: readonly string[];
  /** Text between scopes in the request. Default: a space, as the standard says. */
  readonly scopeSeparator?: string;
  /** Whether the provider takes part in PKCE (RFC 7636, S256). Default: true. */
  readonly pkce?: boolean;
  /** How the token endpoint receives the client secret: in the body of the request, or by HTTP Basic. Default: `body`. */
  readonly clientAuth?: 'body' | 'basic';
  /** Further parameters of the sign-in page, such as `{ access_type: 'offline' }`. Default: none. */
  readonly authorizeParams?: Readonly<Record<string, string>>;
  /**
   * Texts of the token response that the plugin needs, such as `instance_url`: they are in `hub.credentials`. Default:
   * none.
   */
  readonly tokenFields?: readonly string[];
}

/**
 * Sign-in at one of several providers: the value of a setting says at which. The operator sets a client for each in
 * `OAUTH_CLIENTS`, by the ID of the plugin and the value, such as `acme-crm:hubspot`. The setting of a connection that was
 * made by sign-in cannot change, because its tokens belong to one provider.
 * @example
 * ```ts
 * oauth2: {
 *   setting: 'provider',
 *   providers: {
 *     eu: { authorizeUrl: 'https://eu.acme.io/authorize', tokenUrl: 'https://eu.acme.io/token', scopes: ['read'] },
 *     us: { authorizeUrl: 'https://us.acme.io/authorize', tokenUrl: 'https://us.acme.io/token', scopes: ['read'] },
 *   },
 * },
 * ```
 */
export interface OAuth2ByProvider {
  /** A setting with an `enum`. */
  readonly setting: string;
  /** Sign-in by the value of the setting. Connections with another value have pasted credentials. */
  readonly providers: Readonly<Record<string, OAuth2Manifest>>;
}
