/**
 * Finds for each row the index of the first row that shares a key with it, if there is one before it. Keys are those of
 * identifiers and entities; a row may have several.
 */
export class RepeatFinder {
  private readonly first = new Map<string, number>();
  private place = 0;

  /** Adds the keys of the next row and returns the index of the row that it repeats, or undefined. */
  add(keys: readonly string[]): number | undefined {
    const index = this.place++;
    const seen = keys.flatMap(key => this.first.get(key) ?? []);
    const original = seen.length > 0 ? Math.min(...seen) : undefined;
    for (const key of keys) if (!this.first.has(key)) this.first.set(key, original ?? index);
    return original;
  }
}

/** Returns the result of a {@link RepeatFinder} for each of these rows. */
export function findDuplicates(rows: readonly (readonly string[])[]): (number | undefined)[] {
  const finder = new RepeatFinder();
  return rows.map(keys => finder.add(keys));
}
