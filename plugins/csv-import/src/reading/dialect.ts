import { findAlias } from '../mapping/fields.js';
import { cleanCell, toHeaderKey } from '../mapping/text.js';
import { type CsvRecord, type RecordFormat, RecordParser } from './records.js';

/** How a file is written, and where its data begins. */
export interface Dialect extends RecordFormat {
  /** Physical line of the header; null if the file has none and columns are numbered. */
  readonly headerLine: number | null;
  /** Names of the columns, one for each; columns without a name are called `Column 3`. */
  readonly header: readonly string[];
  /** Texts above the header: a `sep=` line, titles and notes. */
  readonly preamble: readonly string[];
  /** Physical line at which the data begins, from 1. */
  readonly dataLine: number;
  /** Position in the text at which the data begins. */
  readonly dataStart: number;
}

/** What is known instead of detected. */
export interface DialectOptions {
  readonly delimiter?: string | undefined;
  /** Physical line of the header; 0 for a file without one. */
  readonly headerLine?: number | undefined;
}

/** Delimiters that are tried. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;

const MAX_HEADER_RECORD = 30;
const SAMPLE_RECORDS = 60;
const QUOTE = '"';
const SEP_LINE = /^sep=(.)\r?$/i;

/** One way to read the beginning of the file. */
interface Candidate {
  readonly delimiter: string;
  readonly records: readonly CsvRecord[];
  /** Position of the header among the records; -1 without one. */
  readonly headerIndex: number;
  readonly score: number;
}

/**
 * Finds the dialect from the beginning of a file. The header is the first record of which two cells name fields; the
 * delimiter is the one that reads it best, because cells of the data may hold any of them.
 * @param isWhole whether the text is the whole file
 * @returns undefined if the file has no text
 */
export function detectDialect(text: string, isWhole: boolean, options: DialectOptions = {}): Dialect | undefined {
  const newline = text.includes('\n') || !text.includes('\r') ? '\n' : '\r';
  const firstEnd = text.indexOf(newline);
  const sep = SEP_LINE.exec(firstEnd < 0 ? text : text.slice(0, firstEnd))?.[1];
  const skip = sep === undefined ? 0 : firstEnd < 0 ? text.length : firstEnd + 1;
  const given = options.delimiter ?? sep;
  const delimiters = given === undefined ? DELIMITERS : [given];
  const candidates = delimiters.map(delimiter =>
    toCandidate(
      sampleRecords(text.slice(skip), { delimiter, quote: QUOTE, newline }, skip > 0 ? 2 : 1, isWhole),
      delimiter,
      options.headerLine,
    ),
  );
  const best = candidates.reduce((a, b) => (b.score > a.score ? b : a));
  const { records, headerIndex, delimiter } = best;
  const first = records.findIndex(record => !isBlankRecord(record.cells));
  if (first < 0) return undefined;
  const dataIndex = headerIndex < 0 ? first : headerIndex + 1;
  const above = records.slice(0, dataIndex);
  const named = headerIndex < 0 ? records[first]!.cells.map(() => '') : records[headerIndex]!.cells;
  const last = records.at(-1);
  const before = headerIndex < 0 ? above : above.slice(0, -1);
  return {
    delimiter,
    quote: QUOTE,
    newline,
    headerLine: headerIndex < 0 ? null : records[headerIndex]!.line,
    header: nameColumns(named),
    preamble: [
      ...(sep === undefined ? [] : [`sep=${sep}`]),
      ...before.filter(({ cells }) => !isBlankRecord(cells)).map(({ text: line }) => line.trim()),
    ],
    dataLine: records[dataIndex]?.line ?? (last ? last.line + countLines(last.text, newline) : 1),
    dataStart: skip + above.reduce((length, record) => length + record.text.length, 0),
  };
}

/** Whether a record has no text at all. */
export function isBlankRecord(cells: readonly string[]): boolean {
  return cells.every(cell => cell.trim() === '');
}

function sampleRecords(text: string, format: RecordFormat, line: number, isWhole: boolean): CsvRecord[] {
  const records: CsvRecord[] = [];
  for (const record of new RecordParser(format, line).push(text, isWhole)) {
    records.push(record);
    if (records.length === SAMPLE_RECORDS) break;
  }
  return records;
}

function toCandidate(records: readonly CsvRecord[], delimiter: string, headerLine: number | undefined): Candidate {
  const filled = records.map(({ cells }) => (isBlankRecord(cells) ? 0 : cells.length));
  const headerIndex = findHeader(records, headerLine);
  const header = records[headerIndex];
  const width = header ? header.cells.length : Math.max(0, ...filled);
  const below = filled.slice(headerIndex + 1).filter(length => length > 0);
  const same = below.length === 0 ? 1 : below.filter(length => length === width).length / below.length;
  const score = (header ? countNamed(header.cells) * 10 : 0) + (width > 1 ? same * 5 + Math.min(width, 30) / 10 : 0);
  return { delimiter, records, headerIndex, score };
}

/** Returns the position of the header: where it was given, or the first record that names fields; -1 without one. */
function findHeader(records: readonly CsvRecord[], headerLine: number | undefined): number {
  if (headerLine !== undefined) return records.findIndex(({ line }) => line === headerLine);
  const head = records.slice(0, MAX_HEADER_RECORD);
  const named = head.findIndex(
    ({ cells, problem }) => problem === undefined && countNamed(cells) >= 2 && isHeader(cells),
  );
  if (named >= 0) return named;
  const single = head.findIndex(({ cells }) => !isBlankRecord(cells) && countNamed(cells) >= 1 && isHeader(cells));
  if (single >= 0) return single;
  const first = head.findIndex(({ cells }) => !isBlankRecord(cells));
  return first >= 0 && isHeader(head[first]!.cells) && head[first]!.cells.length > 1 ? first : -1;
}

/** Names of columns hold no addresses, links or numbers. */
function isHeader(cells: readonly string[]): boolean {
  return !cells.some(cell => /@.|:\/\/|^\+?[\d .,/-]{2,}$/.test(cell.trim()));
}

function countNamed(cells: readonly string[]): number {
  const fields = new Set(cells.map(cell => findAlias(toHeaderKey(cell))?.field));
  fields.delete(undefined);
  return fields.size;
}

function nameColumns(cells: readonly string[]): string[] {
  return cells.map((cell, index) => cleanCell(cell) || `Column ${index + 1}`);
}

function countLines(text: string, newline: string): number {
  return text.split(newline).length - 1;
}
