import type { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Env } from '#kernel/config/env.js';
import { migrate } from './migrate.js';
import { openOrm, type Schema } from './orm.js';
import { openPool } from './pool.js';
import { UnitOfWork } from './unit-of-work.js';

/** An open database with its schema up to date. */
export interface Database {
  /** The address that was connected to: DATABASE_URL, or that of the embedded server. */
  readonly url: string;
  readonly pool: pg.Pool;
  readonly orm: MikroORM;
  readonly work: UnitOfWork;
  /** The migrations that this start applied. */
  readonly applied: readonly string[];
  /** Closes the connections, and the embedded server if it is ours. */
  close(): Promise<void>;
}

/** What opening a database needs to tell somebody. */
export interface DatabaseLog {
  info(message: string): void;
  error(message: string): void;
}

/** Connects to DATABASE_URL, or starts the embedded PostgreSQL under DATA_DIR, and migrates. */
export async function openDatabase(env: Env, schema: Schema, log: DatabaseLog): Promise<Database> {
  const server = env.databaseUrl
    ? { url: env.databaseUrl, stop: async () => undefined }
    : await startEmbedded(env, log);
  const pool = openPool({
    url: server.url,
    max: env.databasePool,
    acquireTimeoutMs: env.requestTimeoutMs,
    onError: error => log.error(`PostgreSQL connection lost: ${error.message}`),
  });
  let orm: MikroORM | undefined;
  const close = async () => {
    await orm?.close();
    // MikroORM ends the pool only if it has ever used it.
    if (!pool.ending) await pool.end();
    await server.stop();
  };
  try {
    orm = await openOrm(pool, schema);
    const applied = await migrate(pool, orm);
    return { url: server.url, pool, orm, work: new UnitOfWork(pool, orm, env.requestTimeoutMs), applied, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loaded only when it is needed: with DATABASE_URL set, nothing of the embedded server comes into the process. */
async function startEmbedded({ dataDir, publicUrl }: Env, log: DatabaseLog) {
  const { startEmbeddedPostgres } = await import('./embedded/embedded-postgres.js');
  return startEmbeddedPostgres({
    dataDir,
    publicUrl,
    log: message => log.info(message),
    onExit: reason => log.error(reason.message),
  });
}
