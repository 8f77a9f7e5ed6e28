import type { Tx } from '#kernel/db/transaction.js';
import type { ExportedTable } from './exported-tables.js';

/** A row of the export: its JSON on one line, and its key. */
export interface ExportedRow {
  readonly json: string;
  readonly key: readonly string[];
}

/** Reads the columns that the export of a table has: all except generated and omitted ones, in their order. */
export async function readColumns(tx: Tx, { name, omit = [] }: ExportedTable): Promise<string[]> {
  const rows = await tx.query<{ column: string }>(
    `SELECT column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [name],
  );
  return rows.map(({ column }) => column).filter(column => !omit.includes(column));
}

/**
 * Reads a page of a table in the order of its key. Numbers and times keep their precision, since PostgreSQL writes the
 * JSON itself.
 * @param after key of the last row of the previous page
 */
export async function readTablePage(
  tx: Tx,
  { name, key, pageSize }: ExportedTable,
  columns: readonly string[],
  after: readonly string[] | undefined,
): Promise<ExportedRow[]> {
  const names = key.map(column => column.name);
  const start = after && names.length > 0 ? `AND (${names.join(', ')}) > (${toParams(key)})` : '';
  const order = names.length > 0 ? `ORDER BY ${names.join(', ')}` : '';
  const rows = await tx.query<{ json: string; key: string[] }>(
    `SELECT to_json(page)::text AS json, ARRAY[${names.map(column => `page.${column}::text`).join(', ')}]::text[] AS key
     FROM (SELECT ${columns.join(', ')} FROM ${name} WHERE workspace_id = $1 ${start} ${order} LIMIT $2) AS page`,
    [tx.workspace, pageSize, ...(after && names.length > 0 ? after : [])],
  );
  // Line breaks stand between tokens only: in strings they are escaped.
  return rows.map(row => ({ json: row.json.replace(/[\r\n]/g, ' '), key: row.key }));
}

function toParams(key: ExportedTable['key']): string {
  return key.map(({ type }, i) => `$${i + 3}::${type}`).join(', ');
}
