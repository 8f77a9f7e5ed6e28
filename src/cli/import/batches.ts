import { CliError, EXIT } from '../base/exit.js';
import { type CsvFile, type CsvLine, readCsvLines } from './csv-file.js';
import { type ImportColumn, mapColumns } from './mapping.js';
import { validateShape, type ImportRow, toImportRow } from './row.js';

/** Maximum size of a request, well below the limit of the hub. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** A row of the file, with its problem if it is malformed. */
export interface CsvRow {
  readonly line: CsvLine;
  readonly row: ImportRow;
  readonly flaw?: string;
}

/** Rows of one request. The same file, mapping and batch size always give the same batches. */
export interface ImportBatch {
  /** From 0. */
  readonly index: number;
  readonly rows: readonly CsvRow[];
  /** Bytes of the file up to its end. */
  readonly bytes: number;
}

/** Reads the header of a file and maps its columns. @throws CliError if there is no header */
export async function readColumns(file: CsvFile, given: readonly string[]): Promise<ImportColumn[]> {
  for await (const { cells } of readCsvLines(file))
    return mapColumns(
      cells.map(cell => cell.trim()),
      given,
    );
  throw new CliError(EXIT.failed, 'empty_file', `${file.path} has no line.`, {
    hint: 'Its first line names the columns.',
  });
}

/** Splits a file into batches of at most `size` rows and 4 MB. */
export async function* readBatches(
  file: CsvFile,
  columns: readonly ImportColumn[],
  size: number,
): AsyncGenerator<ImportBatch> {
  let rows: CsvRow[] = [];
  let weight = 0;
  let index = 0;
  let isHeader = true;
  for await (const line of readCsvLines(file)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const read = toCsvRow(line, columns);
    const heavy = JSON.stringify(read.row).length;
    if (rows.length === size || (rows.length > 0 && weight + heavy > MAX_BATCH_BYTES)) {
      yield { index: index++, rows, bytes: rows.at(-1)!.line.bytes };
      rows = [];
      weight = 0;
    }
    rows.push(read);
    weight += heavy;
  }
  if (rows.length > 0) yield { index, rows, bytes: rows.at(-1)!.line.bytes };
}

function toCsvRow(line: CsvLine, columns: readonly ImportColumn[]): CsvRow {
  const flaw = validateShape(line.cells, columns);
  return { line, row: toImportRow(line.cells, columns), ...(flaw !== undefined && { flaw }) };
}
