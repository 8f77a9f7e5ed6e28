import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import pg from 'pg';

/** Version of the format that {@link BackupWriter} writes. */
const FORMAT = 1;
const NEWLINE = 0x0a;
/** The line that ends the rows of a table. In COPY's text format no row looks like this. */
const END_OF_ROWS = '\\.';

/** Thrown for a file that is no backup, or not a whole one. */
export class BackupFormatError extends Error {}

/** The first line of a backup. */
export interface BackupHeader {
  readonly rapport_backup: number;
  /** Version of the hub that wrote it. */
  readonly version: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** Names of the migrations of its schema in their order. */
  readonly migrations: readonly string[];
}

/** A table in a backup, before its rows. */
export interface BackupTable {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Quotes the name of a table, which begins with its schema unless that is `public`. */
export function escapeTable(name: string): string {
  return name
    .split('.')
    .map(part => pg.escapeIdentifier(part))
    .join('.');
}

/** Numbers of rows by table: the last line of a backup, which shows that it is whole. */
export type RowCounts = Readonly<Record<string, number>>;

/** Returns the header of a backup that is written now. */
export function createHeader(version: string, migrations: readonly string[]): BackupHeader {
  return { rapport_backup: FORMAT, version, created_at: new Date().toISOString(), migrations };
}

/** Writes the parts of a backup to a stream: JSON lines, and between them the rows of each table in COPY's text format. */
export class BackupWriter {
  constructor(private readonly out: Writable) {}

  header(header: BackupHeader): Promise<void> {
    return this.line(JSON.stringify(header));
  }

  /** Writes a table. @returns the number of its rows */
  async table(table: BackupTable, rows: Readable): Promise<number> {
    await this.line(JSON.stringify(table));
    let count = 0;
    for await (const chunk of rows as AsyncIterable<Buffer>) {
      for (const byte of chunk) if (byte === NEWLINE) count++;
      await this.write(chunk);
    }
    await this.line(END_OF_ROWS);
    return count;
  }

  end(rows: RowCounts): Promise<void> {
    return this.line(JSON.stringify({ rows }));
  }

  private line(text: string): Promise<void> {
    return this.write(Buffer.from(`${text}\n`));
  }

  private async write(chunk: Buffer): Promise<void> {
    if (!this.out.write(chunk)) await once(this.out, 'drain');
  }
}

/** Reads a backup from a stream of its compressed bytes, in the order in which it was written. */
export class BackupReader {
  private readonly lines: AsyncGenerator<Buffer>;

  constructor(compressed: Readable) {
    this.lines = splitLines(compressed);
  }

  /** @throws BackupFormatError for another kind of file, or a newer format */
  async header(): Promise<BackupHeader> {
    const header = parseLine<BackupHeader>(await this.next());
    if (header.rapport_backup === FORMAT) return header;
    throw new BackupFormatError('This is no backup of Rapport, or one of a newer version.');
  }

  /** Returns the next table, or the row counts at the end. @throws BackupFormatError */
  async part(): Promise<BackupTable | { readonly rows: RowCounts }> {
    return parseLine(await this.next());
  }

  /** Yields the rows of the current table, each with its line break. @throws BackupFormatError */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const line = await this.next();
      if (line.length === 3 && line.toString('latin1') === `${END_OF_ROWS}\n`) return;
      yield line;
    }
  }

  private async next(): Promise<Buffer> {
    try {
      const { value, done } = await this.lines.next();
      if (!done) return value;
    } catch (error) {
      throw new BackupFormatError(`The backup cannot be read (${error instanceof Error ? error.message : error}).`, {
        cause: error,
      });
    }
    throw new BackupFormatError('The backup ends too early: it was not written to its end.');
  }
}

function parseLine<T>(line: Buffer): T {
  try {
    return JSON.parse(line.toString('utf8')) as T;
  } catch (error) {
    throw new BackupFormatError('This is no backup of Rapport, or it is damaged.', { cause: error });
  }
}

/** Splits into lines that keep their line break; fails if the compressed stream is damaged or incomplete. */
async function* splitLines(compressed: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  compressed.on('error', error => gunzip.destroy(error));
  let rest: Buffer[] = [];
  for await (const chunk of compressed.pipe(gunzip) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, at + 1);
      yield rest.length > 0 ? Buffer.concat([...rest, piece]) : piece;
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}
