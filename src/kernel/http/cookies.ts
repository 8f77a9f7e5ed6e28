/** Returns the value of a cookie in a `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`;
  return header
    ?.split(';')
    .map(part => part.trim())
    .find(part => part.startsWith(start))
    ?.slice(start.length);
}
