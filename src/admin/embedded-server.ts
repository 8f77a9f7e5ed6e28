import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedPostgres } from '#kernel/db/embedded/embedded-postgres.js';
import { resolveLayout } from '#kernel/db/embedded/layout.js';
import { findRunningEmbeddedPostgres } from '#kernel/db/embedded/embedded-database.js';

const START_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 100;

/** A running database server. `stop` ends it only if it was started by this process. */
export interface EmbeddedServerHandle {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Returns the embedded server of a data folder: the one of a running hub, or one that is started until `stop`.
 * @throws the errors of `startEmbeddedPostgres`
 */
export async function acquireEmbeddedServer(
  dataDir: string,
  log: (line: string) => void,
): Promise<EmbeddedServerHandle> {
  const running = await findRunningServer(dataDir);
  if (running) return running;
  try {
    return await startEmbeddedPostgres({ dataDir, log });
  } catch (error) {
    const starting = await waitForStart(dataDir);
    if (starting) return starting;
    throw error;
  }
}

async function findRunningServer(dataDir: string): Promise<EmbeddedServerHandle | undefined> {
  const url = await findRunningEmbeddedPostgres(dataDir);
  return url === undefined ? undefined : { url, stop: async () => undefined };
}

/** Waits up to 10 s for the server of a hub that holds the lock of the folder but is still starting. */
async function waitForStart(dataDir: string): Promise<EmbeddedServerHandle | undefined> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (existsSync(resolveLayout(dataDir).lockOwner) && performance.now() < deadlineMs) {
    const server = await findRunningServer(dataDir);
    if (server) return server;
    await pause(POLL_INTERVAL_MS);
  }
  return undefined;
}
