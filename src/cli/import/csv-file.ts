import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse';
import { CliError, EXIT } from '../base/errors.js';

const SNIFF_BYTES = 64 * 1024;
const MAX_RECORD_BYTES = 1024 * 1024;
const DELIMITERS = [',', ';', '\t', '|'];

/** A line of the file. */
export interface CsvLine {
  /** Number of its last physical line, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
  /** Position of its end in the file, in bytes. */
  readonly bytes: number;
}

/** A CSV file on disk. */
export interface CsvFile {
  readonly path: string;
  /** SHA-256 of the content, as hex. */
  readonly hash: string;
  readonly bytes: number;
  readonly delimiter: string;
}

/** Reads size, hash and delimiter of a file. @throws CliError if it is not a readable file */
export async function inspectCsv(path: string, delimiter: string | undefined): Promise<CsvFile> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw CliError.usage(`${path} cannot be read: ${error.code === 'ENOENT' ? 'it is not there' : error.message}.`);
  });
  if (!found.isFile())
    throw CliError.usage(`${path} is not a file.`, 'An import reads the file twice, so it cannot read from a pipe.');
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { path, hash: hash.digest('hex'), bytes: found.size, delimiter: delimiter ?? (await guessDelimiter(path)) };
}

/** Streams the lines of a file, starting with the header. @throws CliError for malformed CSV */
export async function* readCsvLines({ path, delimiter }: CsvFile): AsyncGenerator<CsvLine> {
  const source = createReadStream(path);
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_RECORD_BYTES,
  });
  source.on('error', error => parser.destroy(error));
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<CsvRecord>) {
      yield { number: info.lines, cells: record, bytes: info.bytes };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CliError(EXIT.failed, 'bad_csv', `${path} is not valid CSV: ${error.message}.`, {
      hint: 'Fix that line and run the same command again.',
    });
  } finally {
    source.destroy();
  }
}

interface CsvRecord {
  readonly record: string[];
  readonly info: { readonly lines: number; readonly bytes: number };
}

/** Returns the delimiter that occurs most often in the first line, outside of quotes. */
async function guessDelimiter(path: string): Promise<string> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    const start = buffer.toString('utf8', 0, bytesRead).replaceAll(/"[^"]*"/g, '');
    const line = /^[^\r\n]*/.exec(start)![0];
    const counts = DELIMITERS.map(each => line.split(each).length);
    return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
  } finally {
    await handle.close();
  }
}
