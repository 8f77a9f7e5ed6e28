import type { Env } from '#kernel/config/env.js';

/** Logger for opening a database. */
export interface DatabaseLogger {
  info(message: string): void;
  error(message: string): void;
}

/** A PostgreSQL server that accepts connections. */
export interface DatabaseServer {
  readonly url: string;
  /** Stops the server if this process started it. */
  stop(): Promise<void>;
}

/**
 * Returns the server of DATABASE_URL, or starts the embedded one under DATA_DIR. Starting runs in other processes:
 * begun early, it adds almost nothing to the start of the hub. The code of the embedded server is loaded only here,
 * so with DATABASE_URL none of it enters the process.
 * @param onWaiting called while those processes work and this one is idle.
 */
export async function openDatabaseServer(
  { databaseUrl, dataDir, publicUrl }: Env,
  log: DatabaseLogger,
  onWaiting?: () => void,
): Promise<DatabaseServer> {
  if (databaseUrl) return { url: databaseUrl, stop: async () => undefined };
  const { startEmbeddedPostgres } = await import('./embedded/embedded-postgres.js');
  return startEmbeddedPostgres({
    dataDir,
    publicUrl,
    log: message => log.info(message),
    onWaiting,
    onExit: reason => log.error(reason.message),
  });
}
