const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const VALUE = /^[\x20-\x7e]{0,1000}$/;
const MAX_HEADERS = 20;

/** Headers that only the sender sets. */
const RESERVED_HEADERS = new Set([
  'host',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-authorization',
  'proxy-connection',
  'user-agent',
]);

/** Returns the error of custom headers; undefined if they are valid. */
export function validateHeaders(headers: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS) return `At most ${MAX_HEADERS} headers can be set.`;
  const twice = names.find((name, place) => names.findIndex(each => each.toLowerCase() === name.toLowerCase()) < place);
  if (twice !== undefined) return `The header "${twice.slice(0, 80)}" is named twice.`;
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name))
      return `"${name.slice(0, 80)}" is no name of a header: 1 to 64 of letters, digits and !#$%&'*+.^_|~-.`;
    if (isReserved(name)) return `The header "${name}" is set by Rapport.`;
    if (!VALUE.test(value)) return `The value of the header "${name}" must be 0 to 1000 printable ASCII characters.`;
  }
  return undefined;
}

/** Merges the custom headers of an endpoint with those of Rapport, which take precedence. */
export function buildRequestHeaders(
  own: Readonly<Record<string, string>>,
  signed: Readonly<Record<string, string>>,
): Record<string, string> {
  const theirs = Object.entries(own).filter(([name]) => !isReserved(name));
  return {
    ...Object.fromEntries(theirs.map(([name, value]) => [name.toLowerCase(), value])),
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'Rapport-Webhooks/1',
    ...signed,
  };
}

function isReserved(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED_HEADERS.has(lower) || lower.startsWith('webhook-');
}
