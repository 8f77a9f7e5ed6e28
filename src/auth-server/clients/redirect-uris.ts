const MAX_URI_LENGTH = 2_000;
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Schemes that a browser takes for itself, or that lead to something else than an app which waits for an answer. */
const FORBIDDEN_SCHEMES =
  /^(?:about|blob|chrome|data|file|filesystem|ftp|intent|javascript|mailto|sms|tel|vbscript|view-source|wss?):$/;

/**
 * What is wrong with an address that answers shall go to; undefined when nothing is. Answers go by https, to a program
 * of the same machine by http, or to an app by a scheme of its own.
 */
export function findRedirectUriProblem(uri: string): string | undefined {
  const url = uri.length <= MAX_URI_LENGTH ? URL.parse(uri) : null;
  if (!url) return `redirect_uris must be addresses of at most ${MAX_URI_LENGTH} characters`;
  if (uri.includes('#')) return 'a redirect_uri may have no fragment';
  if (url.username || url.password) return 'a redirect_uri may hold no user name';
  if (FORBIDDEN_SCHEMES.test(url.protocol)) return 'a redirect_uri may not have a scheme that browsers use themselves';
  if (url.protocol === 'http:' && !LOOPBACK_HOSTS.has(url.hostname))
    return 'a redirect_uri is https, unless it is of the same machine';
  return undefined;
}

/**
 * Whether an answer may go to `uri`: it is registered, letter by letter. Only the port of a program on the same
 * machine may be another one, because it takes whichever is free (RFC 8252, 7.3).
 */
export function isRegisteredRedirectUri(uri: string, registered: readonly string[]): boolean {
  if (findRedirectUriProblem(uri) !== undefined) return false;
  return registered.some(each => each === uri || isSameLoopbackUri(each, uri));
}

function isSameLoopbackUri(registered: string, uri: string): boolean {
  const portless = stripLoopbackPort(registered);
  return portless !== undefined && portless === stripLoopbackPort(uri);
}

/** An address of this machine without its port, else as it was written; undefined for any other address. */
function stripLoopbackPort(uri: string): string | undefined {
  const [, start, rest] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri) ?? [];
  return start === undefined ? undefined : start + rest;
}
