const BEARER = /^Bearer +(\S+)$/i;

/**
 * Returns the API key of a request from `Authorization: Bearer` or `X-API-Key`. Undefined if there is none, if one of
 * these headers is repeated, or if both are present with different keys.
 * @param rawHeaders names and values in turn, as received; Node's own map silently drops a repeated Authorization.
 */
export function extractKey(rawHeaders: readonly string[]): string | undefined {
  const authorization = getHeaderValues('authorization', rawHeaders);
  const apiKey = getHeaderValues('x-api-key', rawHeaders);
  if (authorization.length > 1 || apiKey.length > 1) return undefined;
  const bearer = BEARER.exec(authorization[0] ?? '')?.[1];
  const plain = apiKey[0] || undefined;
  return bearer && plain && bearer !== plain ? undefined : (bearer ?? plain);
}

function getHeaderValues(name: string, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === name);
}
