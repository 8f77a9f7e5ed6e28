const LONGEST = 2_000;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Schemes that a browser takes for itself, or that lead to something else than an app which waits for an answer. */
const FOREIGN =
  /^(?:about|blob|chrome|data|file|filesystem|ftp|intent|javascript|mailto|sms|tel|vbscript|view-source|wss?):$/;

/**
 * What is wrong with an address that answers shall go to; undefined when nothing is. Answers go by https, to a program
 * of the same machine by http, or to an app by a scheme of its own.
 */
export function redirectProblem(uri: string): string | undefined {
  const url = uri.length <= LONGEST ? URL.parse(uri) : null;
  if (!url) return `redirect_uris must be addresses of at most ${LONGEST} characters`;
  if (uri.includes('#')) return 'a redirect_uri may have no fragment';
  if (url.username || url.password) return 'a redirect_uri may hold no user name';
  if (FOREIGN.test(url.protocol)) return 'a redirect_uri may not have a scheme that browsers use themselves';
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname))
    return 'a redirect_uri is https, unless it is of the same machine';
  return undefined;
}

/**
 * Whether an answer may go to `uri`: it is registered, letter by letter. Only the port of a program on the same
 * machine may be another one, because it takes whichever is free (RFC 8252, 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (redirectProblem(uri) !== undefined) return false;
  return registered.some(each => each === uri || isSameButPort(each, uri));
}

function isSameButPort(registered: string, uri: string): boolean {
  const portless = withoutPort(registered);
  return portless !== undefined && portless === withoutPort(uri);
}

/** An address of this machine without its port, else as it was written; undefined for any other address. */
function withoutPort(uri: string): string | undefined {
  const [, start, rest] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri) ?? [];
  return start === undefined ? undefined : start + rest;
}
