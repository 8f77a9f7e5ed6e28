import { type MappingProposal, proposeMapping } from '../mapping/propose.js';
import { detectDialect, type Dialect, type DialectOptions } from './dialect.js';
import { type DetectedEncoding, TextReader } from './encoding.js';
import { type Cursor, type DataRow, readRows, type RowFormat } from './rows.js';

/** Bytes from the beginning of a file in which dialect, columns and mapping are looked for. */
export const SAMPLE_BYTES = 512 * 1024;
/** Rows on which the proposed mapping rests. */
const MAX_SAMPLE_ROWS = 500;

/** What the beginning of a file shows. */
export interface Inspection {
  readonly format: RowFormat;
  readonly preamble: readonly string[];
  /** Where the data begins. */
  readonly start: Cursor;
  readonly mapping: MappingProposal;
  readonly rows: readonly DataRow[];
}

/**
 * Inspects the beginning of a file.
 * @param sample its first bytes, with the byte order mark
 * @param isWhole whether that is the whole file
 * @returns undefined if the file has no text
 */
export async function inspectSample(
  sample: Uint8Array,
  isWhole: boolean,
  { encoding, bomBytes }: Pick<DetectedEncoding, 'encoding' | 'bomBytes'>,
  options: DialectOptions = {},
): Promise<Inspection | undefined> {
  const bytes = sample.subarray(bomBytes);
  const dialect = detectDialect(new TextReader(encoding).read(bytes, isWhole), isWhole, options);
  if (!dialect) return undefined;
  const { preamble, dataStart: _, ...rest } = dialect;
  const format = { ...rest, encoding };
  const start = { offset: bomBytes + measureStart(bytes, dialect, encoding), line: dialect.dataLine, blanks: 0 };
  const rows: DataRow[] = [];
  for await (const row of readRows(toChunks(sample.subarray(start.offset), isWhole), format, start)) {
    if (rows.push(row) === MAX_SAMPLE_ROWS) break;
  }
  const sound = rows.filter(({ problem }) => problem === undefined).map(({ cells }) => cells);
  return { format, preamble, start, mapping: proposeMapping(format.header, sound, format.delimiter), rows };
}

/** Returns the bytes above the data. */
function measureStart(bytes: Uint8Array, { dataStart }: Dialect, encoding: DetectedEncoding['encoding']): number {
  if (encoding.startsWith('utf-16')) return dataStart * 2;
  if (encoding !== 'utf-8') return dataStart;
  return Buffer.byteLength(new TextReader(encoding).read(bytes).slice(0, dataStart));
}

/** Yields the bytes; a sample that ends within a row leaves that row out. */
async function* toChunks(bytes: Uint8Array, isWhole: boolean): AsyncGenerator<Uint8Array> {
  const end = isWhole ? bytes.length : Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1;
  yield bytes.subarray(0, end);
}
