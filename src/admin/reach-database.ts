import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Env } from '#kernel/config/env.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import { startEmbeddedPostgres } from '#kernel/db/embedded/embedded-postgres.js';
import { layoutOf } from '#kernel/db/embedded/layout.js';
import { runningEmbeddedPostgres } from '#kernel/db/embedded/running-server.js';
import { schema } from '../schema.js';

const CONNECTIONS = 3;
const STARTING_PATIENCE_MS = 10_000;

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Opens the database that the hub uses, for one command: DATABASE_URL, or the embedded one in DATA_DIR, which is
 * shared with a hub that runs on it and started for the duration otherwise. The schema is brought up to date, as at
 * a start of the hub.
 */
export async function withDatabase<T>(
  env: Env,
  log: (line: string) => void,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const server = env.databaseUrl
    ? { url: env.databaseUrl, stop: async () => undefined }
    : await reachEmbedded(env.dataDir, log);
  try {
    const settings = { ...env, databaseUrl: server.url, databasePool: CONNECTIONS };
    const database = await openDatabase(settings, schema, { info: log, error: log });
    return await work(database).finally(() => database.close());
  } finally {
    await server.stop();
  }
}

async function reachEmbedded(dataDir: string, log: (line: string) => void): Promise<Server> {
  const running = await shared(dataDir);
  if (running) return running;
  try {
    return await startEmbeddedPostgres({ dataDir, log });
  } catch (error) {
    const starting = await whenStarted(dataDir);
    if (starting) return starting;
    throw error;
  }
}

async function shared(dataDir: string): Promise<Server | undefined> {
  const url = await runningEmbeddedPostgres(dataDir);
  return url === undefined ? undefined : { url, stop: async () => undefined };
}

/** A hub that holds the folder but does not answer yet is just starting; one that has ended leaves no name there. */
async function whenStarted(dataDir: string): Promise<Server | undefined> {
  const end = performance.now() + STARTING_PATIENCE_MS;
  while (existsSync(layoutOf(dataDir).holder) && performance.now() < end) {
    const server = await shared(dataDir);
    if (server) return server;
    await pause(100);
  }
  return undefined;
}
