import type pg from 'pg';
import { openPool } from '#kernel/db/pool.js';
import { freshDatabase } from './database.js';

/** The hub's pool on an empty database of its own. */
export interface FreshPool {
  readonly url: string;
  readonly pool: pg.Pool;
  /** Ends the pool and removes the database. */
  drop(): Promise<void>;
}

/** Opens one. @param max most connections. */
export async function freshPool(max: number): Promise<FreshPool> {
  const database = await freshDatabase();
  const pool = openPool({ url: database.url, max, acquireTimeoutMs: 5_000, onError: () => undefined });
  return {
    url: database.url,
    pool,
    drop: async () => {
      await pool.end();
      await database.drop();
    },
  };
}
