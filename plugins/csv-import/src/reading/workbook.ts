import { readXlsx, streamXlsxRows } from 'hucre/xlsx';

/** Maximum size of a workbook, which has to be read into memory. Its rows are then read one by one. */
export const MAX_WORKBOOK_BYTES = 100_000_000;
/** Maximum size of what a workbook holds besides its sheets, such as the texts of its cells, when it is unpacked. */
const MAX_UNPACKED_BYTES = 200_000_000;

const ZIP_HEAD = Buffer.from('PK\u0003\u0004', 'latin1');
/** Older Excel files, and workbooks with a password. */
const OLE_HEAD = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
/** Characters of CSV that are passed on together. */
const CHUNK_LENGTH = 65_536;
/** Bytes by which {@link looksLikeWorkbook} decides. */
export const WORKBOOK_HEAD_BYTES = 4;

type Cell = string | number | boolean | Date | null | undefined;

/** A workbook that cannot be read; the message says why, and what to do. */
export class UnreadableWorkbookError extends Error {
  constructor(
    message: string,
    /** The option that has to be another one. */
    readonly field?: 'sheet',
  ) {
    super(message);
  }
}

/** A sheet of a workbook. */
export interface OpenedSheet {
  readonly name: string;
  /** Names of all visible sheets. */
  readonly sheets: readonly string[];
}

/** Returns whether a file begins like a workbook: a ZIP archive, or the container of older Excel files. */
export function looksLikeWorkbook(head: Buffer): boolean {
  return [ZIP_HEAD, OLE_HEAD].some(magic => head.subarray(0, magic.length).equals(magic));
}

/**
 * Chooses the sheet to read.
 * @param name default: the first visible one
 * @throws UnreadableWorkbookError
 */
export async function chooseSheet(workbook: Buffer, name?: string): Promise<OpenedSheet> {
  requireModestSize(workbook);
  const sheets: string[] = [];
  await readXlsx(workbook, {
    sheets: sheet => {
      if (!sheet.hidden && !sheet.veryHidden) sheets.push(sheet.name);
      return false;
    },
  }).catch(throwUnreadable);
  const [first] = sheets;
  if (first === undefined) throw new UnreadableWorkbookError('The workbook has no visible sheet.');
  if (name === undefined || sheets.includes(name)) return { name: name ?? first, sheets };
  throw new UnreadableWorkbookError(`The workbook has no visible sheet "${name}", but ${sheets.join(', ')}.`, 'sheet');
}

/**
 * Yields a sheet as CSV in UTF-8, one line for each row, also for empty ones, so that the number of a line is that of the row
 * as long as no cell above has several lines. Times are written in ISO 8601, without the clock if it is midnight.
 * @throws UnreadableWorkbookError
 */
export async function* toCsv(workbook: Buffer, sheet: string): AsyncGenerator<Uint8Array> {
  let [rows, text] = [0, ''];
  try {
    for await (const { index, values } of streamXlsxRows(workbook, { sheet })) {
      const blankLines = '\r\n'.repeat(Math.max(0, index - rows));
      text += `${blankLines}${(values as Cell[]).map(formatCell).join(',')}\r\n`;
      rows = index + 1;
      if (text.length < CHUNK_LENGTH) continue;
      yield Buffer.from(text);
      text = '';
    }
    yield Buffer.from(text);
  } catch (error) {
    throwUnreadable(error);
  }
}

function formatCell(cell: Cell): string {
  const text = cell instanceof Date ? formatDate(cell) : String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function formatDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  return date.toISOString().replace(/T00:00:00\.000Z$/, '');
}

function throwUnreadable(error: unknown): never {
  if (error instanceof UnreadableWorkbookError) throw error;
  if (error instanceof Error && error.name === 'EncryptedFileError') {
    throw new UnreadableWorkbookError(
      'The file has a password, or is of an older Excel (.xls). Save it without a password as .xlsx or CSV.',
    );
  }
  throw new UnreadableWorkbookError('The file is no Excel workbook (.xlsx), or it is damaged. Save it as CSV UTF-8.');
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;

/**
 * Refuses archives whose parts besides the sheets would be large in memory: the reader holds those parts as a whole, at most
 * with the sizes that the directory of the archive declares.
 */
function requireModestSize(archive: Buffer): void {
  const end = archive.lastIndexOf(Buffer.from(Uint32Array.of(END_OF_DIRECTORY).buffer));
  let offset = end < 0 || end + 20 > archive.length ? archive.length : archive.readUInt32LE(end + 16);
  let unpacked = 0;
  while (offset + ENTRY_BYTES <= archive.length && archive.readUInt32LE(offset) === DIRECTORY_ENTRY) {
    const nameBytes = archive.readUInt16LE(offset + 28);
    const name = archive.toString('latin1', offset + ENTRY_BYTES, offset + ENTRY_BYTES + nameBytes);
    if (!name.startsWith('xl/worksheets/')) unpacked += archive.readUInt32LE(offset + 24);
    offset += ENTRY_BYTES + nameBytes + archive.readUInt16LE(offset + 30) + archive.readUInt16LE(offset + 32);
  }
  if (unpacked <= MAX_UNPACKED_BYTES) return;
  throw new UnreadableWorkbookError('The workbook holds too much besides its rows. Save the sheet as CSV UTF-8.');
}
