import type { Readable, Writable } from 'node:stream';

/** A stream that may be a terminal. */
type TtyStream<Stream> = Stream & { readonly isTTY?: boolean; readonly columns?: number };

/** Streams and environment of a command. Results go to stdout, everything else to stderr. */
export interface Terminal {
  readonly stdin: TtyStream<Readable>;
  readonly stdout: TtyStream<Writable>;
  readonly stderr: TtyStream<Writable>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Checks whether a user can answer prompts and see a progress bar. */
export function isInteractive({ stdin, stderr, env }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && env['TERM'] !== 'dumb' && !env['CI'];
}

/** Writes a line to stderr. */
export function printNotice({ stderr }: Terminal, line: string): void {
  stderr.write(`${line}\n`);
}

/** Reads a stream to its end as UTF-8 text. */
export async function readStream(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString('utf8');
}

const ANSI_CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Functions that style text for a terminal. */
export type Colors = Readonly<Record<keyof typeof ANSI_CODES, (text: string) => string>>;

/** Creates styles for a stream. Text stays plain if the stream is not a terminal, or with NO_COLOR or TERM=dumb. */
export function createColors(terminal: Terminal, stream: 'stdout' | 'stderr' = 'stdout'): Colors {
  const { env } = terminal;
  const plain = Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb' || terminal[stream].isTTY !== true;
  const paint =
    ([open, close]: readonly [number, number]) =>
    (text: string) =>
      plain ? text : `\x1b[${open}m${text}\x1b[${close}m`;
  const { bold, dim, red, green, yellow, cyan } = ANSI_CODES;
  return {
    bold: paint(bold),
    dim: paint(dim),
    red: paint(red),
    green: paint(green),
    yellow: paint(yellow),
    cyan: paint(cyan),
  };
}

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

const interruptController = new AbortController();

/** Returns the terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, signal: interruptController.signal };
}

/** Aborts the command on the first SIGINT or SIGTERM. A second one ends the process at once. */
export function handleSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruptController.abort());
}

/** Exits with code 0 when the reader of stdout closes the pipe. */
export function exitOnEpipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
