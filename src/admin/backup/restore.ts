import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Env } from '#kernel/config/env.js';
import { listMigrations, migrate, readAppliedMigrations } from '#kernel/db/migrate.js';
import { openOrm } from '#kernel/db/orm.js';
import { openPool } from '#kernel/db/pool.js';
import { databaseSchema } from '../../database-schema.js';
import { CommandError } from '../admin-context.js';
import {
  type BackupHeader,
  BackupFormatError,
  BackupReader,
  type BackupTable,
  escapeTable,
  type RowCounts,
} from './backup-file.js';
import type { TableListener } from './dump.js';

const POOL_SIZE = 3;
const BLOCK_BYTES = 64 * 1024;

/** Options of {@link restoreDatabase}. */
export interface RestoreOptions {
  readonly url: string;
  readonly requestTimeoutMs: Env['requestTimeoutMs'];
  readonly log: (line: string) => void;
  readonly onTable: TableListener;
}

/** What was restored. */
export interface RestoreResult {
  readonly header: BackupHeader;
  readonly rows: RowCounts;
  /** Migrations of this version that were applied after the restore. */
  readonly applied: readonly string[];
  /** IDs of the keys that the restored secrets are sealed with. */
  readonly keyIds: readonly string[];
}

/**
 * Restores a backup into a database that holds no workspace: creates the schema of the backup, fills it in one
 * transaction, and migrates it to this version. A restore that fails or is killed can be repeated.
 * @throws CommandError if the database is in use or has another schema, or if the backup is of a newer version
 * @throws BackupFormatError if the file is no whole backup; nothing is restored then
 */
export async function restoreDatabase(compressed: Readable, options: RestoreOptions): Promise<RestoreResult> {
  const { url, requestTimeoutMs, log, onTable } = options;
  const reader = new BackupReader(compressed);
  const header = await reader.header();
  const pool = openPool({ url, max: POOL_SIZE, acquireTimeoutMs: requestTimeoutMs, onError: () => undefined });
  try {
    const orm = await openOrm(pool, databaseSchema);
    const migrateTo = (to?: string) =>
      migrate(pool, orm, {
        mode: 'apply',
        requestTimeoutMs,
        log: { info: log, error: log },
        ...(to !== undefined && { to }),
      });
    refuseNewerBackup(header, listMigrations(orm));
    if ((await readAppliedMigrations(pool)).length === 0) await migrateTo(header.migrations.at(-1));
    await refuseOtherSchema(header, await readAppliedMigrations(pool));
    const { rows, keyIds } = await fill(url, reader, onTable);
    return { header, rows, keyIds, applied: await migrateTo() };
  } finally {
    await pool.end();
  }
}

function refuseNewerBackup({ version, migrations }: BackupHeader, known: readonly string[]): void {
  if (migrations.every(name => known.includes(name))) return;
  throw new CommandError(`The backup was made by version ${version}, which is newer: restore it with that version.`);
}

async function refuseOtherSchema({ migrations }: BackupHeader, applied: readonly string[]): Promise<void> {
  if (applied.length === migrations.length && applied.every(name => migrations.includes(name))) return;
  throw new CommandError(
    'The database has the schema of another version than the backup: restore into an empty database.',
  );
}

async function fill(url: string, reader: BackupReader, onTable: TableListener) {
  const client = new pg.Client({ connectionString: url, application_name: 'rapport restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    const forced = await suspendForcedSecurity(client);
    await refuseUsedDatabase(client);
    const rows = await copyTables(client, reader, onTable);
    await advanceSequences(client);
    const keyIds = await listKeyIds(client);
    for (const table of forced) await client.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return { rows, keyIds };
  } finally {
    await client.end();
  }
}

/**
 * Lets the owner see and write all rows until the transaction ends. The change is invisible to others, who have to wait
 * for these tables.
 */
async function suspendForcedSecurity(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT oid::regclass::text AS table FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relforcerowsecurity ORDER BY relname`,
  );
  const tables = rows.map(({ table }) => table);
  for (const table of tables) await client.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  return tables;
}

async function refuseUsedDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ used: boolean }>('SELECT EXISTS (SELECT FROM workspaces) AS used');
  if (!rows[0]!.used) return;
  throw new CommandError(
    'The database holds workspaces already: restore into an empty one (another DATA_DIR or DATABASE_URL).',
  );
}

async function copyTables(client: pg.Client, reader: BackupReader, onTable: TableListener): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (;;) {
    const part = await reader.part();
    if ('rows' in part) {
      const isWhole = Object.entries(part.rows).every(([table, count]) => counts[table] === count);
      if (isWhole) return counts;
      throw new BackupFormatError('The backup is damaged: its tables have other numbers of rows than it says.');
    }
    counts[part.table] = await copyTable(client, part, reader.rows());
    onTable(part.table, counts[part.table]!);
  }
}

async function copyTable(client: pg.Client, { table, columns }: BackupTable, rows: AsyncIterable<Buffer>) {
  const name = escapeTable(table);
  const list = columns.map(column => pg.escapeIdentifier(column)).join(', ');
  // What a hub without workspaces has written about itself gives way.
  await client.query(`DELETE FROM ${name}`);
  const sink = client.query(copyFrom(`COPY ${name} (${list}) FROM STDIN`));
  await pipeline(Readable.from(joinBlocks(rows)), sink);
  return sink.rowCount;
}

/** Joins rows to blocks, because each chunk becomes a message to the server. */
async function* joinBlocks(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let block: Buffer[] = [];
  let bytes = 0;
  for await (const row of rows) {
    block.push(row);
    bytes += row.length;
    if (bytes < BLOCK_BYTES) continue;
    yield Buffer.concat(block);
    block = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(block);
}

/** Sets the sequences of all columns beyond the restored values. */
async function advanceSequences(client: pg.Client): Promise<void> {
  await client.query(`
    DO $$
    DECLARE item record;
    BEGIN
      FOR item IN
        SELECT c.oid::regclass AS table, a.attname AS column,
               pg_get_serial_sequence(c.oid::regclass::text, a.attname) AS sequence
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'schema_migrations'
          AND pg_get_serial_sequence(c.oid::regclass::text, a.attname) IS NOT NULL
      LOOP
        EXECUTE format('SELECT setval(%L, coalesce((SELECT max(%I) FROM %s), 0) + 1, false)',
                       item.sequence, item.column, item.table);
      END LOOP;
    END $$`);
}

/** Lists the IDs of the keys that secrets of connections, plugin stores, erasures and files are sealed with. */
async function listKeyIds(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(`
    SELECT DISTINCT substring(sealed FROM '^sealed:([A-Za-z0-9_-]{1,32}):') AS id FROM (
      SELECT value AS sealed FROM connections, jsonb_each_text(credentials)
      UNION ALL SELECT value FROM connections, jsonb_each_text(webhook_secrets)
      UNION ALL SELECT value #>> '{}' FROM plugin_store
      UNION ALL SELECT sealed FROM erasure_keys
      UNION ALL SELECT terms FROM erasures
      UNION ALL SELECT sealed_key FROM files
    ) AS secrets WHERE sealed LIKE 'sealed:%' ORDER BY 1`);
  return rows.map(({ id }) => id);
}
