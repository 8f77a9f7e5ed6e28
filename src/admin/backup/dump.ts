import type { Writable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { COMMIT_POSITION_COLUMN } from '#kernel/db/commit-positions.js';
import { BACKUP_ROLE, HUB_SCHEMAS } from '#kernel/db/roles.js';
import { readAppliedMigrations } from '#kernel/db/migrate.js';
import { HUB_PACKAGE } from '#kernel/version.js';
import { BackupWriter, createHeader, escapeTable, type BackupTable, type RowCounts } from './backup-file.js';

/** What a restored hub makes by itself: the schema, its processes, vectors, which need an extension, and sessions. */
const LEFT_OUT = ['schema_migrations', 'processes', 'plugin_statuses', 'note_vectors', 'rapport_auth.sessions'];

/** Tables with the columns that can be written and mean something elsewhere, those that others refer to first. */
const LIST_TABLES = `
  WITH RECURSIVE tables AS (
    SELECT * FROM (
      SELECT c.oid, CASE WHEN schema.nspname = 'public' THEN '' ELSE schema.nspname || '.' END || c.relname AS name
      FROM pg_class c JOIN pg_namespace schema ON schema.oid = c.relnamespace
      WHERE schema.nspname = ANY ($2) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    ) AS named WHERE NOT name = ANY ($1)
  ), depths (oid, depth) AS (
    SELECT oid, 0 FROM tables
    UNION
    SELECT k.conrelid, depth + 1 FROM depths JOIN pg_constraint k ON k.confrelid = depths.oid
    WHERE k.contype = 'f' AND k.conrelid <> k.confrelid AND depth < 20
  )
  SELECT t.name AS table, (
      SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        AND a.attname <> '${COMMIT_POSITION_COLUMN}'
    ) AS columns
  FROM tables t ORDER BY (SELECT max(depth) FROM depths d WHERE d.oid = t.oid), t.name`;

/** Called after each table. */
export type TableListener = (table: string, rows: number) => void;

/**
 * Writes a backup of a database, as it is at one moment, also while hubs write to it.
 * @param out takes the uncompressed bytes; it is not ended
 * @returns the numbers of rows by table
 */
export async function dumpDatabase(url: string, out: Writable, onTable: TableListener): Promise<RowCounts> {
  const client = new pg.Client({ connectionString: url, application_name: 'rapport backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(`SET LOCAL ROLE ${BACKUP_ROLE}`);
    const writer = new BackupWriter(out);
    await writer.header(createHeader(HUB_PACKAGE.version, await readAppliedMigrations(client)));
    const { rows: tables } = await client.query<BackupTable>(LIST_TABLES, [LEFT_OUT, HUB_SCHEMAS]);
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const columns = table.columns.map(column => pg.escapeIdentifier(column)).join(', ');
      const sql = `COPY (SELECT ${columns} FROM ${escapeTable(table.table)}) TO STDOUT`;
      counts[table.table] = await writer.table(table, client.query(copyTo(sql)));
      onTable(table.table, counts[table.table]!);
    }
    await writer.end(counts);
    await client.query('COMMIT');
    return counts;
  } finally {
    await client.end();
  }
}
