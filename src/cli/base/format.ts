/** Replaces control characters by spaces, because values from outside could move the cursor of a terminal. */
export function toPrintable(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}

/** Formats names and values as aligned lines. Missing values are omitted. */
export function formatFieldLines(values: Readonly<Record<string, string | null | undefined>>): string[] {
  const shown = Object.entries(values).filter((pair): pair is [string, string] => pair[1] != null && pair[1] !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** Formats a table with headings; `none` is the line for an empty table. */
export function formatTableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): string[] {
  if (rows.length === 0) return [none];
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return all.map(row => line(row).trimEnd());
}

/** Formats a count with its noun, such as `12,345 rows`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
