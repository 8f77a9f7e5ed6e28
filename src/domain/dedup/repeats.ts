/**
 * For each row the place of the first row that shares a key with it, if there is one before it. Keys are handles of
 * identifiers and of entities; a row may have several.
 */
export function repeatsOf(rows: readonly (readonly string[])[]): (number | undefined)[] {
  const first = new Map<string, number>();
  return rows.map((keys, index) => {
    const seen = keys.flatMap(key => first.get(key) ?? []);
    const original = seen.length > 0 ? Math.min(...seen) : undefined;
    for (const key of keys) if (!first.has(key)) first.set(key, original ?? index);
    return original;
  });
}
