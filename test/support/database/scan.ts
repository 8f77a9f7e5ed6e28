/** A column that holds a text. */
export interface Finding {
  readonly table: string;
  readonly column: string;
  readonly rows: number;
}

/** Runs SQL on a connection that sees all rows, and returns the rows. */
export type AskDatabase = <Row>(sql: string) => Promise<Row[]>;

/**
 * Searches every column of every table of a database for texts, without case: text, JSON and arrays as they are, bytes as
 * the text that they encode.
 */
export async function scanDatabase(ask: AskDatabase, texts: readonly string[]): Promise<Finding[]> {
  const columns = await ask<{ schema: string; table: string; column: string; type: string }>(
    `SELECT table_schema AS schema, table_name AS table, column_name AS column, data_type AS type
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const searched = texts.map(text => `'${text.replaceAll("'", "''")}'`).join(', ');
  const found: Finding[] = [];
  for (const { schema, table, column, type } of columns) {
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const [counted] = await ask<{ count: number }>(
      `SELECT count(*)::int AS count FROM "${schema}"."${table}" WHERE EXISTS (
         SELECT FROM unnest(ARRAY[${searched}]) AS searched WHERE position(lower(searched) IN lower(${text})) > 0)`,
    );
    if (counted!.count > 0) found.push({ table: `${schema}.${table}`, column, rows: counted!.count });
  }
  return found;
}
