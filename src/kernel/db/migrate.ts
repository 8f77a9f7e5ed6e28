import { setTimeout as pause } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { ensureRoles } from './roles.js';

/** Spells RAPT; every process that migrates one database waits for this lock. */
const MIGRATION_LOCK = 0x52415054;

const LOOK_AGAIN_MS = 100;

/**
 * Brings the schema up to date. Processes that start together wait for the first one, which does it in a single
 * transaction: a start that is killed half-way leaves the schema as it was.
 * @returns the names of the migrations that were applied.
 */
export async function migrate(pool: pg.Pool, orm: MikroORM): Promise<string[]> {
  const guard = await locked(pool);
  try {
    await ensureRoles(pool);
    const applied = await orm.migrator.up();
    return applied.map(({ name }) => name);
  } finally {
    await letGo(guard);
  }
}

/**
 * A connection that holds the lock, until it is {@link letGo}. Who does not get it keeps none meanwhile: a pooler with few
 * connections would have none left for the process that migrates.
 */
async function locked(pool: pg.Pool): Promise<pg.PoolClient> {
  for (; ; await pause(LOOK_AGAIN_MS)) {
    const guard = await pool.connect();
    let isMine = false;
    try {
      isMine = await takesLock(guard);
    } finally {
      if (!isMine) await letGo(guard);
    }
    if (isMine) return guard;
  }
}

async function takesLock(guard: pg.PoolClient): Promise<boolean> {
  await guard.query('BEGIN');
  const { rows } = await guard.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
    MIGRATION_LOCK,
  ]);
  return rows[0]!.locked;
}

async function letGo(guard: pg.PoolClient): Promise<void> {
  await guard.query('ROLLBACK').catch(() => undefined);
  guard.release();
}
