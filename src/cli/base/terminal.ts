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
