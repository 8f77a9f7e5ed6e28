import type { ClusterContext } from './cluster-context.js';
import { findFreePort } from './free-port.js';
import { readPostmasterFile } from './postmaster-file.js';
import { findCause } from './server-log.js';
import { spawnServer } from './server-process.js';
import type { ServerProcess } from './server-process.js';
import { shutDownServer } from './server-shutdown.js';
import { pollUntil } from './poll-until.js';

/** A running PostgreSQL server. */
export interface PostgresServer {
  readonly port: number;
  /** Calls back once when the server has exited for any reason. */
  onExit(callback: () => void): void;
  /** Stops the server and waits for its exit: a fast shutdown, escalated after 10 s. */
  stop(): Promise<void>;
}

/** A failed start, with whether the same start may succeed a moment later. */
export class ServerStartError extends Error {
  readonly isRetryable: boolean;

  constructor(message: string, isRetryable: boolean) {
    super(message);
    this.isRetryable = isRetryable;
  }
}

const RETRYABLE_START_FAILURE =
  /Address already in use|could not bind|TCP\/IP sockets|lock file "postmaster.pid"|shared memory block/;
const REPORT_INTERVAL_MS = 10_000;

/**
 * Starts the server on a free port and waits until it accepts connections, including the recovery after a crash.
 * @throws ServerStartError with the server's own reason.
 */
export async function startServer(context: ClusterContext): Promise<PostgresServer> {
  const port = await findFreePort();
  const running = await spawnServer(context, port);
  context.onWaiting();
  await waitUntilReady(running, context);
  if (running.isGone()) throw toServerStartError(context, await running.readLog());
  running.keepParentAlive(false);
  return {
    port,
    onExit: callback => void running.exited.then(callback),
    stop: () => stop(running, context),
  };
}

async function waitUntilReady(running: ServerProcess, { layout, log }: ClusterContext): Promise<void> {
  const isDecided = async () => {
    const file = await readPostmasterFile(layout.cluster);
    return running.isGone() || (file?.isReady === true && file.pid === running.pid);
  };
  while (!(await pollUntil(isDecided, REPORT_INTERVAL_MS))) log('The database is still recovering from a crash');
}

async function stop(running: ServerProcess, { binaries }: ClusterContext): Promise<void> {
  running.keepParentAlive(true);
  if (running.isGone()) return;
  if (await shutDownServer({ pid: running.pid, binaries, isGone: running.isGone })) return;
  throw new Error(`The database server (process ${running.pid}) does not end: end it by hand.`);
}

function toServerStartError({ layout }: ClusterContext, logged: string): ServerStartError {
  const cause = findCause(logged) || 'it gave no reason';
  return new ServerStartError(
    `The database does not start (${cause}): see ${layout.log}.`,
    RETRYABLE_START_FAILURE.test(logged),
  );
}
