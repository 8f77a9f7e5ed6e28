import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedPostgres } from '#kernel/db/embedded/embedded-postgres.js';
import { layoutOf } from '#kernel/db/embedded/layout.js';
import { runningEmbeddedPostgres } from '#kernel/db/embedded/running-server.js';

const STARTING_PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** A database server that may be used; `stop` ends it only if it was started here. */
export interface EmbeddedServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The embedded server of a data folder: the one that a running hub has started, or one of our own until `stop`.
 * Errors: the sentences of `startEmbeddedPostgres`.
 */
export async function reachEmbedded(dataDir: string, log: (line: string) => void): Promise<EmbeddedServer> {
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

async function shared(dataDir: string): Promise<EmbeddedServer | undefined> {
  const url = await runningEmbeddedPostgres(dataDir);
  return url === undefined ? undefined : { url, stop: async () => undefined };
}

/** A hub that holds the folder but does not answer yet is just starting; one that has ended leaves no name there. */
async function whenStarted(dataDir: string): Promise<EmbeddedServer | undefined> {
  const end = performance.now() + STARTING_PATIENCE_MS;
  while (existsSync(layoutOf(dataDir).holder) && performance.now() < end) {
    const server = await shared(dataDir);
    if (server) return server;
    await pause(LOOK_EVERY_MS);
  }
  return undefined;
}
