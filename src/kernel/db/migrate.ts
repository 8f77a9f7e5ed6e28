import { setTimeout as pause } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { ALLOW_BACKUP_OF_ALL, ensureRoles } from './roles.js';
import { ALIGN_COMMIT_BASE } from './commit-positions.js';
import type { DatabaseLogger } from './database-server.js';

/** Advisory lock of all processes that migrate one database; ASCII for RAPT. */
const MIGRATION_LOCK = 0x52415054;

const LOCK_RETRY_INTERVAL_MS = 100;
/** How long a migration may stand in line for a table, in milliseconds: whoever uses the table stands behind it. */
const MAX_LOCK_TIMEOUT_MS = 1_000;
const MIN_LOCK_TIMEOUT_MS = 20;
/** Pauses between the tries, in milliseconds. Meanwhile those who stood in line are served. */
const MIN_RETRY_PAUSE_MS = 500;
const MAX_RETRY_PAUSE_MS = 10_000;
/** How long a migration is tried again before the start gives up, in milliseconds. */
const MAX_WAIT_MS = 10 * 60_000;
/** Lock timeout and deadlock. */
const BUSY_SQLSTATES = new Set(['55P03', '40P01']);

/** Thrown if the schema does not fit this version; the message is one sentence that says what to do. */
export class SchemaMismatchError extends Error {}

/** Options of {@link migrate}. */
export interface MigrateOptions {
  /** `apply` applies pending migrations, `check` refuses a schema that has some. */
  readonly mode: 'apply' | 'check';
  /** Time limit of a request in milliseconds. A migration blocks others for a tenth of it at most. */
  readonly requestTimeoutMs: number;
  readonly log: DatabaseLogger;
  /** Name of the last migration to apply. Default: all of them. */
  readonly to?: string;
}

/**
 * Brings the schema to the latest version, or checks that it is. Processes that start together wait for the first one,
 * which migrates in a single transaction: a start that is killed leaves the schema as it was. A table in use is waited
 * for in short tries, so that running processes are served meanwhile.
 * @returns the names of the applied migrations.
 * @throws SchemaMismatchError if the schema is newer than this version, or older in mode `check`, or if its tables stay
 *   in use.
 */
export async function migrate(pool: pg.Pool, orm: MikroORM, options: MigrateOptions): Promise<string[]> {
  await refuseNewerSchema(pool, orm);
  if (options.mode === 'check') {
    await refusePending(pool, orm);
    return [];
  }
  const lockHolder = await acquireLock(pool);
  try {
    await ensureRoles(pool);
    // The migrator prepares itself on a connection of its own, and a pooler may have none left during the transaction.
    await orm.migrator.getPending();
    return await applyPatiently(orm, options);
  } finally {
    await releaseLock(lockHolder);
  }
}

/** Returns the names of the migrations of a database in the order in which they were applied. */
export async function readAppliedMigrations(db: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await db.query<{ exists: boolean }>(`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`);
  if (!rows[0]!.exists) return [];
  const applied = await db.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY id');
  return applied.rows.map(({ name }) => name);
}

/** Returns the names of all migrations of this version in their order. */
export function listMigrations(orm: MikroORM): string[] {
  const { migrationsList = [] } = orm.config.get('migrations');
  return migrationsList.map(each => {
    if (typeof each !== 'function') return each.name;
    return new each(orm.em.getDriver(), orm.config).name ?? each.name;
  });
}

async function refuseNewerSchema(pool: pg.Pool, orm: MikroORM): Promise<void> {
  const known = new Set(listMigrations(orm));
  const unknown = (await readAppliedMigrations(pool)).find(name => !known.has(name));
  if (unknown === undefined) return;
  throw new SchemaMismatchError(
    `The schema of the database is newer than this version, which does not know the migration "${unknown}": ` +
      'start the newer version, or restore a backup from before its migration.',
  );
}

async function refusePending(pool: pg.Pool, orm: MikroORM): Promise<void> {
  const applied = new Set(await readAppliedMigrations(pool));
  const pending = listMigrations(orm).filter(name => !applied.has(name));
  if (pending.length === 0) return;
  throw new SchemaMismatchError(
    `The schema of the database is older than this version (pending: ${pending.join(', ')}), and MIGRATIONS=check ` +
      'applies nothing: run "rapport admin migrate" first.',
  );
}

async function applyPatiently(orm: MikroORM, options: MigrateOptions): Promise<string[]> {
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  for (let pauseMs = MIN_RETRY_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_RETRY_PAUSE_MS)) {
    try {
      return await applyOnce(orm, options);
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadlineMs) throw createBusyError(error);
      options.log.info(`A migration waits for a table that others use; next try in ${pauseMs} ms`);
      await pause(pauseMs);
    }
  }
}

/** Applies all pending migrations in one transaction whose statements wait only briefly for a lock. */
function applyOnce(orm: MikroORM, { requestTimeoutMs, to }: MigrateOptions): Promise<string[]> {
  const lockTimeoutMs = Math.max(MIN_LOCK_TIMEOUT_MS, Math.min(MAX_LOCK_TIMEOUT_MS, Math.floor(requestTimeoutMs / 10)));
  const connection = orm.em.getConnection();
  return connection.transactional(async transaction => {
    await connection.execute(`SET LOCAL lock_timeout = ${lockTimeoutMs}`, [], 'run', transaction);
    const applied = await orm.migrator.up({ transaction, ...(to !== undefined && { to }) });
    await connection.execute(ALLOW_BACKUP_OF_ALL, [], 'run', transaction);
    await connection.execute(ALIGN_COMMIT_BASE, [], 'run', transaction);
    return applied.map(({ name }) => name);
  });
}

function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return BUSY_SQLSTATES.has(code) || (error instanceof Error && error.cause !== undefined && isBusy(error.cause));
}

function createBusyError(cause: unknown): SchemaMismatchError {
  const minutes = MAX_WAIT_MS / 60_000;
  return new SchemaMismatchError(
    `A migration found a table in use for ${minutes} minutes: end the long transactions that pg_stat_activity shows, ` +
      'then start again.',
    { cause },
  );
}

/**
 * Returns a connection that holds the lock until {@link releaseLock}. While waiting it holds no connection: a pooler
 * with few connections might have none left for the process that migrates.
 */
async function acquireLock(pool: pg.Pool): Promise<pg.PoolClient> {
  for (; ; await pause(LOCK_RETRY_INTERVAL_MS)) {
    const lockHolder = await pool.connect();
    let isAcquired = false;
    try {
      isAcquired = await tryLock(lockHolder);
    } finally {
      if (!isAcquired) await releaseLock(lockHolder);
    }
    if (isAcquired) return lockHolder;
  }
}

async function tryLock(client: pg.PoolClient): Promise<boolean> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
    MIGRATION_LOCK,
  ]);
  return rows[0]!.locked;
}

async function releaseLock(client: pg.PoolClient): Promise<void> {
  await client.query('ROLLBACK').catch(() => undefined);
  client.release();
}
