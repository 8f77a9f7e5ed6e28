import { setTimeout as pause } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { ensureRoles } from './roles.js';

/** Advisory lock of all processes that migrate one database; ASCII for RAPT. */
const MIGRATION_LOCK = 0x52415054;

const LOCK_RETRY_INTERVAL_MS = 100;

/**
 * Migrates the schema to the latest version. Processes that start together wait for the first one, which migrates in
 * a single transaction: a start that is killed leaves the schema as it was.
 * @returns the names of the applied migrations.
 */
export async function migrate(pool: pg.Pool, orm: MikroORM): Promise<string[]> {
  const lockHolder = await acquireLock(pool);
  try {
    await ensureRoles(pool);
    const applied = await orm.migrator.up();
    return applied.map(({ name }) => name);
  } finally {
    await releaseLock(lockHolder);
  }
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
