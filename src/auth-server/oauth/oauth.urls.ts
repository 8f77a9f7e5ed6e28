/** Paths of the sign-in of programs. */
export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  approve: '/oauth/approve',
  device: '/oauth/device',
  deviceAuthorization: '/oauth/device_authorization',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
  serverMetadata: '/.well-known/oauth-authorization-server',
  openidMetadata: '/.well-known/openid-configuration',
  resourceMetadata: '/.well-known/oauth-protected-resource',
} as const;

/** The addresses that clients are told. They come from `PUBLIC_URL`, never from what a request says of its host. */
export interface OAuthUrls {
  /** The authorization server: the origin of `PUBLIC_URL`. */
  readonly issuer: string;
  /** What a key opens by its RFC 8707 name: MCP. */
  readonly mcp: string;
  /** A path of {@link OAUTH_PATHS} as a whole address. */
  toUrl(path: string): string;
}

/** Works out the addresses of a hub. @param publicUrl `PUBLIC_URL`; a path in it is left out, as clients do */
export function buildOAuthUrls(publicUrl: string): OAuthUrls {
  const { origin } = new URL(publicUrl);
  return { issuer: origin, mcp: `${origin}/mcp`, toUrl: path => origin + path };
}
