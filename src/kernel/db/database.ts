import type { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Env } from '#kernel/config/env.js';
import { type DatabaseLogger, openDatabaseServer } from './database-server.js';
import {
  type DeferredMigrationOptions,
  hasUnfinishedMigrations,
  runDeferredMigrations,
} from './deferred-migrations.js';
import { migrate } from './migrate.js';
import { openOrm, type DatabaseSchema } from './orm.js';
import { openPool } from './pool.js';
import { UnitOfWork } from './unit-of-work.js';

/** An open database with its schema up to date. */
export interface Database {
  /** URL of the server: DATABASE_URL, or that of the embedded server. */
  readonly url: string;
  readonly pool: pg.Pool;
  readonly orm: MikroORM;
  readonly work: UnitOfWork;
  /** Names of the migrations that this start applied. */
  readonly appliedMigrations: readonly string[];
  /** Whether a deferred migration was not finished when the database was opened. */
  readonly hasDeferredMigrations: boolean;
  /** Runs the deferred migrations that are not finished; see `runDeferredMigrations`. */
  runDeferredMigrations(options?: DeferredMigrationOptions): ReturnType<typeof runDeferredMigrations>;
  /** Closes the connections and stops the embedded server if this process started it. */
  close(): Promise<void>;
}

/**
 * Connects to a server and migrates, or checks the schema if the settings say so.
 * @param serverPromise the server; defaults to the one of the settings.
 */
export async function openDatabase(
  env: Env,
  schema: DatabaseSchema,
  log: DatabaseLogger,
  serverPromise = openDatabaseServer(env, log),
): Promise<Database> {
  const server = await serverPromise;
  const pool = openPool({
    url: server.url,
    max: env.databasePoolSize,
    pipeline: env.databasePipeline,
    acquireTimeoutMs: env.requestTimeoutMs,
    onError: error => log.error(`PostgreSQL connection lost: ${error.message}`),
  });
  let orm: MikroORM | undefined;
  const close = async () => {
    await orm?.close();
    // MikroORM ends the pool only if it has used it.
    if (!pool.ending) await pool.end();
    await server.stop();
  };
  try {
    orm = await openOrm(pool, schema);
    const { migrations: mode, requestTimeoutMs } = env;
    const appliedMigrations = await migrate(pool, orm, { mode, requestTimeoutMs, log });
    const work = new UnitOfWork(pool, orm, env.requestTimeoutMs, {
      pipeline: env.databasePipeline,
      genericPlans: env.databaseGenericPlans,
    });
    const { deferredMigrations = [] } = schema;
    return {
      url: server.url,
      pool,
      orm,
      work,
      appliedMigrations,
      hasDeferredMigrations: await hasUnfinishedMigrations(work, deferredMigrations),
      runDeferredMigrations: options => runDeferredMigrations({ pool, work }, deferredMigrations, options),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
