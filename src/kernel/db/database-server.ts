import type { Env } from '#kernel/config/env.js';

/** What opening a database needs to tell somebody. */
export interface DatabaseLogger {
  info(message: string): void;
  error(message: string): void;
}

/** A PostgreSQL server that can be connected to. */
export interface DatabaseServer {
  readonly url: string;
  /** Ends it if it is ours. */
  stop(): Promise<void>;
}

/**
 * The server that DATABASE_URL names, or the embedded one under DATA_DIR, which is made and started. That is the work of
 * other processes: begun first, it costs the start of the hub next to nothing. Whatever the embedded server needs is
 * loaded only here, so with DATABASE_URL nothing of it comes into the process.
 * @param onWaiting called when those processes are at work and this one is free.
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
