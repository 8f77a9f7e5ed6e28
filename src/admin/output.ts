/** Output of a command: results to `out`, progress and errors to `err`. */
export interface AdminOutput {
  out(text: string): void;
  err(text: string): void;
}

/** Prints a result: one JSON document with `--json`, else readable lines. */
export function printResult(
  terminal: AdminOutput,
  json: boolean | undefined,
  data: unknown,
  lines: readonly string[],
): void {
  terminal.out(json ? JSON.stringify(data, null, 2) : lines.join('\n'));
}
