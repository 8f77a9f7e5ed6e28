/** Paths of the authorization server. */
export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  deviceAuthorization: '/oauth/device_authorization',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
  serverMetadata: '/.well-known/oauth-authorization-server',
  openidMetadata: '/.well-known/openid-configuration',
  resourceMetadata: '/.well-known/oauth-protected-resource',
} as const;

/** Page of the console at which a person approves a program. It takes `ticket` or `user_code`. */
export const APPROVAL_PAGE = '/approve';

/** The URLs that clients use. They derive from `PUBLIC_URL`, never from the host of a request. */
export interface OAuthUrls {
  /** The authorization server: the origin of `PUBLIC_URL`. */
  readonly issuer: string;
  /** The MCP endpoint, as a resource indicator (RFC 8707). */
  readonly mcp: string;
  /** Returns the URL of a path of this hub, such as one of {@link OAUTH_PATHS}. */
  toUrl(path: string): string;
}

/** Builds the URLs of a hub. @param publicUrl `PUBLIC_URL`; a path in it is ignored, as clients do */
export function buildOAuthUrls(publicUrl: string): OAuthUrls {
  const { origin } = new URL(publicUrl);
  return { issuer: origin, mcp: `${origin}/mcp`, toUrl: path => origin + path };
}

/** The authorization response to a client (RFC 6749, section 4.1.2). */
export type AuthorizationResponse =
  | { readonly code: string }
  | { readonly error: string; readonly error_description?: string };

/**
 * Builds the URL that redirects a browser to its client, with the response, the client's `state`, and the issuer
 * (`iss`, RFC 9207), which protects clients of several authorization servers from mix-up attacks.
 */
export function buildRedirectUrl(
  { uri, state }: { readonly uri: string; readonly state?: string },
  response: AuthorizationResponse,
  issuer: string,
): string {
  const params = new URLSearchParams({ ...response, ...(state !== undefined && { state }), iss: issuer });
  const [url] = uri.split('#');
  return `${url}${url!.includes('?') ? '&' : '?'}${params.toString()}`;
}
