/**
 * Returns the path of an address of this site, for a redirect after sign-in; undefined if it leads elsewhere. The parser of
 * the browser decides: `//host` and `/\host` both begin with a slash and lead away, and `/.//host` has the path `//host`.
 * @param origin origin of this site
 */
export function toOwnPath(to: unknown, origin: string): string | undefined {
  if (typeof to !== 'string' || !URL.canParse(to, origin)) return undefined;
  const url = new URL(to, origin);
  return url.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : undefined;
}
