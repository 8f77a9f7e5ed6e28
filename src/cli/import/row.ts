import type { ImportColumn } from './mapping.js';

/** A row in the format of `POST /v2/leads/bulk`. */
export interface ImportRow {
  [field: string]: unknown;
  fields?: Record<string, string>;
}

/** Fields by which the hub identifies the entity of a row. */
const IDENTIFIERS = new Set([
  'email',
  'personal_email',
  'secondary_email',
  'linkedin_url',
  'domain',
  'linkedin_member_id',
]);
const IDENTIFIER_LIKE = /_id$/;

/** Converts the cells of a line to a row. Empty cells are omitted. */
export function toImportRow(cells: readonly string[], columns: readonly ImportColumn[]): ImportRow {
  const row: ImportRow = {};
  const kept: Record<string, string> = {};
  columns.forEach(({ target }, index) => {
    const text = cells[index]?.trim() ?? '';
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

/** Checks whether at least one column is an identifier. */
export function hasIdentifier(columns: readonly ImportColumn[]): boolean {
  return columns.some(
    ({ target }) => 'field' in target && (IDENTIFIERS.has(target.field) || IDENTIFIER_LIKE.test(target.field)),
  );
}

/**
 * Returns an error for excess cells; undefined if there are none. Spreadsheets omit empty cells at the end of a line.
 */
export function validateShape(cells: readonly string[], columns: readonly ImportColumn[]): string | undefined {
  const extra = cells.slice(columns.length).some(cell => cell.trim() !== '');
  return extra ? `The line has ${cells.length} cells and the header ${columns.length}.` : undefined;
}

function parseCell(field: string, text: string): string | number {
  return field === 'headcount' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}
