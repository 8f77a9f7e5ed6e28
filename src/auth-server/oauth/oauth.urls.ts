/** Paths of the authorization server. */
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

/** The URLs that clients use. They derive from `PUBLIC_URL`, never from the host of a request. */
export interface OAuthUrls {
  /** The authorization server: the origin of `PUBLIC_URL`. */
  readonly issuer: string;
  /** The MCP endpoint, as a resource indicator (RFC 8707). */
  readonly mcp: string;
  /** Returns the URL of a path of {@link OAUTH_PATHS}. */
  toUrl(path: string): string;
}

/** Builds the URLs of a hub. @param publicUrl `PUBLIC_URL`; a path in it is ignored, as clients do */
export function buildOAuthUrls(publicUrl: string): OAuthUrls {
  const { origin } = new URL(publicUrl);
  return { issuer: origin, mcp: `${origin}/mcp`, toUrl: path => origin + path };
}
