/** What a client expects of a field: the name of its JSON type, several of them, or the same of what is inside. */
export type Expected = string | { readonly [field: string]: Expected } | readonly [Expected];

/**
 * The fields that a client reads and that are not there, or not of the type it reads them as. Further fields are
 * nobody's business. `null` counts as a type of its own: `string|null`.
 */
export function unread(value: unknown, expected: Expected, where = ''): string[] {
  if (typeof expected === 'string') {
    return expected.split('|').includes(typeOf(value)) ? [] : [`${where}: ${typeOf(value)}, not ${expected}`];
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(value)) return [`${where}: ${typeOf(value)}, not a list`];
    if (value.length === 0) return [`${where}: an empty list shows nothing`];
    return value.flatMap((item, at) => unread(item, (expected as readonly [Expected])[0], `${where}[${at}]`));
  }
  if (typeOf(value) !== 'object') return [`${where}: ${typeOf(value)}, not an object`];
  return Object.entries(expected).flatMap(([field, inner]) =>
    unread((value as Record<string, unknown>)[field], inner as Expected, where ? `${where}.${field}` : field),
  );
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
