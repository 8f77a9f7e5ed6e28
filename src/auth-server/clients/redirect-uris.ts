const MAX_URI_LENGTH = 2_000;
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Schemes that browsers handle themselves, or that do not lead to an app that waits for an authorization response. */
const FORBIDDEN_SCHEMES =
  /^(?:about|blob|chrome|data|file|filesystem|ftp|intent|javascript|mailto|sms|tel|vbscript|view-source|wss?):$/;

/**
 * Returns the problem of a redirect URI; undefined if it is valid. Allowed are https, http to a loopback host, and
 * private schemes of apps.
 */
export function findRedirectUriProblem(uri: string): string | undefined {
  const url = uri.length <= MAX_URI_LENGTH ? URL.parse(uri) : null;
  if (!url) return `redirect_uris must be URLs of at most ${MAX_URI_LENGTH} characters`;
  if (uri.includes('#')) return 'a redirect_uri must not have a fragment';
  if (url.username || url.password) return 'a redirect_uri must not have a user name or password';
  if (FORBIDDEN_SCHEMES.test(url.protocol))
    return 'a redirect_uri must not have a scheme that browsers handle themselves';
  if (url.protocol === 'http:' && !LOOPBACK_HOSTS.has(url.hostname))
    return 'a redirect_uri must be https, except for loopback addresses such as http://127.0.0.1';
  return undefined;
}

/**
 * Returns whether a redirect URI is registered. It must match exactly, except for the port of a loopback URI, which the
 * program chooses at run time (RFC 8252, section 7.3).
 */
export function isRegisteredRedirectUri(uri: string, registered: readonly string[]): boolean {
  if (findRedirectUriProblem(uri) !== undefined) return false;
  return registered.some(each => each === uri || isSameLoopbackUri(each, uri));
}

function isSameLoopbackUri(registered: string, uri: string): boolean {
  const portless = stripLoopbackPort(registered);
  return portless !== undefined && portless === stripLoopbackPort(uri);
}

/** Removes the port of an http loopback URI; returns undefined for any other URI. */
function stripLoopbackPort(uri: string): string | undefined {
  const [, start, rest] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri) ?? [];
  return start === undefined ? undefined : start + rest;
}
