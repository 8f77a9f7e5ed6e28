import type { ImportColumn } from './mapping.js';

/** A row as `POST /v2/leads` takes it. */
export interface ImportRow {
  [field: string]: unknown;
  fields?: Record<string, string>;
}

/** By what the hub knows whom a row is about. */
const IDENTIFIERS = new Set([
  'email',
  'personal_email',
  'secondary_email',
  'linkedin_url',
  'domain',
  'linkedin_member_id',
]);
const IDENTIFIER_LIKE = /_id$/;

/** Makes a row from the cells of a line. Empty cells say nothing. */
export function toImportRow(cells: readonly string[], columns: readonly ImportColumn[]): ImportRow {
  const row: ImportRow = {};
  const kept: Record<string, string> = {};
  columns.forEach(({ target }, place) => {
    const text = cells[place]?.trim() ?? '';
    if (text === '' || 'left' in target) return;
    if ('kept' in target) kept[target.kept] = text;
    else row[target.field] = parseCell(target.field, text);
  });
  const { first_name: first, last_name: last } = row;
  const name = [first, last].filter(Boolean).join(' ');
  if (row['name'] === undefined && name !== '') row['name'] = name;
  if (Object.keys(kept).length > 0) row.fields = kept;
  return row;
}

/** Whether a file of these columns can tell whom its rows are about. */
export function hasIdentifier(columns: readonly ImportColumn[]): boolean {
  return columns.some(
    ({ target }) => 'field' in target && (IDENTIFIERS.has(target.field) || IDENTIFIER_LIKE.test(target.field)),
  );
}

/** What is wrong with the number of cells; undefined when nothing is. A spreadsheet leaves empty cells at the end out. */
export function validateShape(cells: readonly string[], columns: readonly ImportColumn[]): string | undefined {
  const extra = cells.slice(columns.length).some(cell => cell.trim() !== '');
  return extra ? `The line has ${cells.length} cells and the header ${columns.length}.` : undefined;
}

function parseCell(field: string, text: string): string | number {
  return field === 'headcount' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}
