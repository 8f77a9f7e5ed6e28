import type { Env } from '#kernel/config/env.js';

const NETWORK_SYSCALLS = new Set(['connect', 'getaddrinfo', 'read', 'write']);

/**
 * Returns the system's message if the database server cannot be reached; undefined for any other error. If a host
 * name has several addresses, Node reports an AggregateError without a message of its own.
 */
export function findConnectionErrorReason(error: unknown): string | undefined {
  const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const refused = reasons.find(
    reason => reason instanceof Error && 'syscall' in reason && NETWORK_SYSCALLS.has(String(reason.syscall)),
  );
  return refused instanceof Error ? refused.message : undefined;
}

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
