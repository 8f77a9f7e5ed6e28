import { mkdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { findUsableBinaries } from './binaries.js';
import { type ClusterContext, prepareCluster } from './cluster.js';
import { type DataDirLock, acquireDataDirLock } from './data-dir-lock.js';
import { ensureDatabase } from './embedded-database.js';
import { toStartupError, startLogRotation } from './server-log.js';
import { type Layout, resolveLayout } from './layout.js';
import { type OsUser, resolveServerUser } from './os-user.js';
import { type PostgresServer, ServerStartError, startServer } from './postgres-server.js';
import { stopOrphan } from './server-shutdown.js';

/** Options of {@link startEmbeddedPostgres}. */
export interface EmbeddedPostgresOptions {
  /** DATA_DIR; created if it does not exist. */
  readonly dataDir: string;
  /** The hub's PUBLIC_URL, for the error message of a second start on this folder. */
  readonly publicUrl?: string;
  /** False for a throwaway server, such as in tests: a crash of the machine may corrupt it. Default true. */
  readonly durable?: boolean;
  /** Connects as the superuser, for tests and benchmarks. A folder that was started without it has none. */
  readonly asSuperuser?: boolean;
  /** Logs a line for the operator. */
  readonly log: (message: string) => void;
  /** Called, possibly several times, when the start waits for another process and this one is idle. */
  readonly onWaiting?: () => void;
  /** Called once if the server exits without `stop()`; the hub cannot continue then. */
  readonly onExit?: (reason: Error) => void;
}

/** A running embedded database. */
export interface EmbeddedPostgres {
  /** postgres://rapport:password@127.0.0.1:port/rapport, of the owner, who is no superuser; the port changes with each start. */
  readonly url: string;
  /** Stops the server and releases the folder; further calls return the promise of the first one. */
  stop(): Promise<void>;
}

const MAX_START_ATTEMPTS = 5;

/**
 * Starts a PostgreSQL server below DATA_DIR and creates the cluster at the first start. Only one process at a time
 * can use a folder.
 * @throws Error whose message is one sentence for the person at the terminal.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const layout = resolveLayout(options.dataDir);
  try {
    await mkdir(layout.dataDir, { recursive: true });
    const user = await resolveServerUser(layout.cluster);
    const lock = await acquireDataDirLock(layout, options.publicUrl);
    return await startLocked(layout, user, options, lock).catch(async (error: unknown) => {
      await lock.release();
      throw error;
    });
  } catch (error) {
    throw toStartupError(error, layout.dataDir);
  }
}

async function startLocked(
  layout: Layout,
  user: OsUser | undefined,
  { log, onExit, durable = true, asSuperuser = false, onWaiting = () => undefined }: EmbeddedPostgresOptions,
  lock: DataDirLock,
): Promise<EmbeddedPostgres> {
  const context = { layout, user, durable, log, onWaiting, binaries: await findUsableBinaries(user) };
  const password = await prepareCluster(context);
  const server = await startWithRetries(context);
  const url = await ensureDatabase(server.port, password, asSuperuser).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return { url, stop: supervise(server, lock, layout, onExit) };
}

// A port can be taken between choosing and using it, and a killed server's sessions need a moment to end.
async function startWithRetries(context: ClusterContext): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt += 1) {
    await stopOrphan(context.layout, context.binaries, context.log);
    try {
      return await startServer(context);
    } catch (error) {
      const shouldRetry = error instanceof ServerStartError && error.isRetryable && attempt < MAX_START_ATTEMPTS;
      if (!shouldRetry) throw error;
      await pause(attempt * 100);
    }
  }
}

function supervise(
  server: PostgresServer,
  lock: DataDirLock,
  layout: Layout,
  onExit: EmbeddedPostgresOptions['onExit'],
): () => Promise<void> {
  const endLogWatch = startLogRotation(layout.log);
  let stopping: Promise<void> | undefined;
  server.onExit(() => {
    endLogWatch();
    if (stopping) return;
    onExit?.(new Error(`The embedded database has ended unexpectedly: ${layout.log} has the reason.`));
  });
  const stop = async () => {
    await server.stop();
    await lock.release();
  };
  return () => (stopping ??= stop());
}
