const BEARER = /^Bearer +(\S+)$/i;

/**
 * The API key that a request presents in `Authorization: Bearer` or `X-API-Key`. Undefined when there is none, when
 * one of these headers stands twice, or when the two disagree: of two keys nobody can say which one is meant.
 * @param rawHeaders names and values in turn, as they came; Node's own map silently drops a repeated Authorization.
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
