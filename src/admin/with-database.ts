import type { Env } from '#kernel/config/env.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import { databaseSchema } from '../database-schema.js';

const POOL_SIZE = 3;

/** Runs `work` with the URL of a running server: DATABASE_URL, or the embedded one in DATA_DIR. */
export async function withServer<T>(
  env: Env,
  log: (line: string) => void,
  work: (url: string, env: Env) => Promise<T>,
): Promise<T> {
  const server = env.databaseUrl
    ? { url: env.databaseUrl, stop: async () => undefined }
    : await (await import('./embedded-server.js')).acquireEmbeddedServer(env.dataDir, log);
  try {
    return await work(server.url, env);
  } finally {
    await server.stop();
  }
}

/**
 * Opens the hub's database for one command: DATABASE_URL, or the embedded one in DATA_DIR. The embedded server is
 * shared with a running hub, or else started while `work` runs. Pending migrations are applied, or refused with
 * MIGRATIONS=check, as at a start of the hub.
 */
export function withDatabase<T>(
  env: Env,
  log: (line: string) => void,
  work: (database: Database, env: Env) => Promise<T>,
): Promise<T> {
  return withServer(env, log, async url => {
    const settings = { ...env, databaseUrl: url, databasePoolSize: POOL_SIZE };
    const database = await openDatabase(settings, databaseSchema, { info: log, error: log });
    return work(database, env).finally(() => database.close());
  });
}
