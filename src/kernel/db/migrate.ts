import type { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { ensureRoles } from './roles.js';

/** Spells RAPT; every process that migrates one database waits for this lock. */
const MIGRATION_LOCK = 0x52415054;

/**
 * Brings the schema up to date. Processes that start together wait for the first one, which does it in a single
 * transaction: a start that is killed half-way leaves the schema as it was.
 * @returns the names of the migrations that were applied.
 */
export async function migrate(pool: pg.Pool, orm: MikroORM): Promise<string[]> {
  const guard = await pool.connect();
  try {
    await guard.query('BEGIN');
    await guard.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await ensureRoles(pool);
    const applied = await orm.migrator.up();
    return applied.map(({ name }) => name);
  } finally {
    await guard.query('ROLLBACK').catch(() => undefined);
    guard.release();
  }
}
