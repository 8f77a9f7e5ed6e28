import { CliError, EXIT } from '../base/exit.js';
import { type CsvFile, type Line, linesOf } from './csv-file.js';
import { type Column, mapColumns } from './mapping.js';
import { flawOfShape, type LeadRow, rowOf } from './row.js';

/** Most that one call carries, well below what the hub takes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A row of the file, or why it is none. */
export interface ReadRow {
  readonly line: Line;
  readonly row: LeadRow;
  readonly flaw?: string;
}

/** Rows that travel together. The same file, mapping and size give the same batches each time. */
export interface Batch {
  /** From 0. */
  readonly index: number;
  readonly rows: readonly ReadRow[];
  /** Bytes of the file up to its end. */
  readonly bytes: number;
}

/** The columns of a file with what becomes of them. @throws CliError when there is no header */
export async function columnsOf(file: CsvFile, given: readonly string[]): Promise<Column[]> {
  for await (const { cells } of linesOf(file))
    return mapColumns(
      cells.map(cell => cell.trim()),
      given,
    );
  throw new CliError(EXIT.failed, 'empty_file', `${file.path} has no line.`, {
    hint: 'Its first line names the columns.',
  });
}

/** Cuts a file into batches of at most `size` rows and 4 MB. */
export async function* batchesOf(file: CsvFile, columns: readonly Column[], size: number): AsyncGenerator<Batch> {
  let rows: ReadRow[] = [];
  let weight = 0;
  let index = 0;
  let isHeader = true;
  for await (const line of linesOf(file)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const read = readRow(line, columns);
    const heavy = JSON.stringify(read.row).length;
    if (rows.length === size || (rows.length > 0 && weight + heavy > MAX_BYTES)) {
      yield { index: index++, rows, bytes: rows.at(-1)!.line.bytes };
      rows = [];
      weight = 0;
    }
    rows.push(read);
    weight += heavy;
  }
  if (rows.length > 0) yield { index, rows, bytes: rows.at(-1)!.line.bytes };
}

function readRow(line: Line, columns: readonly Column[]): ReadRow {
  const flaw = flawOfShape(line.cells, columns);
  return { line, row: rowOf(line.cells, columns), ...(flaw !== undefined && { flaw }) };
}
