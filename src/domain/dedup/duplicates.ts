/**
 * Finds for each row the place of the first row that shares a key with it, if there is one before it. Keys are handles
 * of identifiers and of entities; a row may have several.
 */
export class RepeatFinder {
  private readonly first = new Map<string, number>();
  private place = 0;

  /** Takes the keys of the next row and returns the place of the row that it repeats; undefined for none. */
  add(keys: readonly string[]): number | undefined {
    const index = this.place++;
    const seen = keys.flatMap(key => this.first.get(key) ?? []);
    const original = seen.length > 0 ? Math.min(...seen) : undefined;
    for (const key of keys) if (!this.first.has(key)) this.first.set(key, original ?? index);
    return original;
  }
}

/** Returns what a {@link RepeatFinder} finds for each of these rows. */
export function findDuplicates(rows: readonly (readonly string[])[]): (number | undefined)[] {
  const finder = new RepeatFinder();
  return rows.map(keys => finder.add(keys));
}
