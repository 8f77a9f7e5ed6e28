import { type Mapping, mapRow, type MappedRow } from '../../../plugins/csv-import/src/mapping/row.js';
import { EncodingDetector } from '../../../plugins/csv-import/src/reading/encoding.js';
import { inspectSample, type Inspection } from '../../../plugins/csv-import/src/reading/inspect.js';
import { readRows } from '../../../plugins/csv-import/src/reading/rows.js';

/** A file as the import reads it: rows that were understood, and rejected ones, by physical line. */
export interface ReadFile extends Inspection {
  readonly fields: Readonly<Record<string, string | null>>;
  readonly people: ReadonlyMap<number, MappedRow>;
  readonly rejected: ReadonlyMap<number, string>;
}

/** Detects the encoding of bytes that come in pieces. */
export function detectEncoding(bytes: Uint8Array, size = 7) {
  const detector = new EncodingDetector();
  for (let at = 0; at < bytes.length; at += size) detector.push(bytes.subarray(at, at + size));
  return detector.detect();
}

/** Reads a whole file in small pieces, as it is proposed. @param changes to the proposed mapping */
export async function readFile(content: string | Uint8Array, changes: Partial<Mapping> = {}): Promise<ReadFile> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const encoding = detectEncoding(bytes);
  if ('error' in encoding) throw new Error(encoding.error);
  const inspection = (await inspectSample(bytes, true, encoding))!;
  const { format, start, mapping } = inspection;
  const fields = mapping.columns.map(({ field }) => field);
  const people = new Map<number, MappedRow>();
  const rejected = new Map<number, string>();
  for await (const { line, cells, problem } of readRows(split(bytes.subarray(start.offset)), format, start)) {
    const result = problem === undefined ? mapRow(cells, { ...mapping, fields, ...changes }) : undefined;
    if (!result) rejected.set(line, problem!);
    else if ('row' in result) people.set(line, result.row);
    else rejected.set(line, result.problems.map(({ message }) => message).join(' '));
  }
  const named = Object.fromEntries(mapping.columns.map(({ index, header, field }) => [`${index} ${header}`, field]));
  return { ...inspection, fields: named, people, rejected };
}

async function* split(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 11) yield bytes.subarray(at, at + 11);
}
