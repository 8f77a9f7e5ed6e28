import type { Readable, Writable } from 'node:stream';

/** A stream that a person may sit at. */
type TtyStream<Stream> = Stream & { readonly isTTY?: boolean; readonly columns?: number };

/** Where a command reads, writes and looks for its settings. Answers go to stdout, everything beside them to stderr. */
export interface Terminal {
  readonly stdin: TtyStream<Readable>;
  readonly stdout: TtyStream<Writable>;
  readonly stderr: TtyStream<Writable>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Whether there is a person who can answer a question and see what is drawn. */
export function isInteractive({ stdin, stderr, env }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && env['TERM'] !== 'dumb' && !env['CI'];
}

/** Writes a line that is no answer. */
export function printNotice({ stderr }: Terminal, line: string): void {
  stderr.write(`${line}\n`);
}

/** All of stdin as text. */
export async function readStream(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString('utf8');
}
