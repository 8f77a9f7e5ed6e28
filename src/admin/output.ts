/** Where a command writes: answers to `out`, everything said beside them to `err`. */
export interface AdminOutput {
  out(text: string): void;
  err(text: string): void;
}

/** Prints an answer: with --json one JSON document, otherwise the lines that a person reads. */
export function printResult(
  terminal: AdminOutput,
  json: boolean | undefined,
  data: unknown,
  lines: readonly string[],
): void {
  terminal.out(json ? JSON.stringify(data, null, 2) : lines.join('\n'));
}

/** Lays names and values under each other. */
export function formatKeyValues(values: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(values).map(name => name.length));
  return Object.entries(values).map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** Lays rows out in columns under their headings; `none` is the line for an empty table. */
export function formatColumns(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): string[] {
  if (rows.length === 0) return [none];
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0)));
  return all.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
