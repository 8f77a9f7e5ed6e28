/** Returns the error code in the search of an address; undefined if it has none. */
export function readRefusal(search: Record<string, unknown>): { refused?: string } {
  const { refused } = search;
  return typeof refused === 'string' ? { refused } : {};
}
