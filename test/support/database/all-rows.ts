import pg from 'pg';
import { COMMIT_POSITION_COLUMN } from '#kernel/db/commit-positions.js';

/**
 * Reads every row of every table except sessions, as text in an order of its own, without positions, which mean something in one database
 * only. The user of the URL is a superuser.
 */
export async function readAllRows(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class
       WHERE relnamespace::regnamespace::text IN ('public', 'rapport_auth') AND relkind IN ('r', 'p')
         AND relname NOT IN ('schema_migrations', 'processes', 'plugin_statuses', 'sessions') ORDER BY 1`,
    );
    const all: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT row(${await listColumns(client, name)})::text AS row FROM ${name} ORDER BY 1`,
      );
      all[name] = rows.map(({ row }) => row);
    }
    return all;
  } finally {
    await client.end();
  }
}

/** Returns the columns of a table that have the same values in a copy of it. */
export async function listColumns(client: Pick<pg.Client | pg.Pool, 'query'>, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> '${COMMIT_POSITION_COLUMN}'`,
    [table],
  );
  return rows[0]!.columns;
}
