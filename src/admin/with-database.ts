import type { Env } from '#kernel/config/env.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import { databaseSchema } from '../database-schema.js';

const POOL_SIZE = 3;

/**
 * Opens the hub's database for one command: DATABASE_URL, or the embedded one in DATA_DIR. The embedded server is
 * shared with a running hub, or else started while `work` runs. Pending migrations are applied, or refused with
 * MIGRATIONS=check, as at a start of the hub.
 */
export async function withDatabase<T>(
  env: Env,
  log: (line: string) => void,
  work: (database: Database, env: Env) => Promise<T>,
): Promise<T> {
  const server = env.databaseUrl
    ? { url: env.databaseUrl, stop: async () => undefined }
    : await (await import('./embedded-server.js')).acquireEmbeddedServer(env.dataDir, log);
  try {
    const settings = { ...env, databaseUrl: server.url, databasePoolSize: POOL_SIZE };
    const database = await openDatabase(settings, databaseSchema, { info: log, error: log });
    return await work(database, env).finally(() => database.close());
  } finally {
    await server.stop();
  }
}
