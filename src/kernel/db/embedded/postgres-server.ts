import { spawn, type ChildProcess } from 'node:child_process';
import { type Socket, type AddressInfo, createServer } from 'node:net';
import { toSpawnIdentity, buildChildEnvironment } from './child-process.js';
import type { OsUser } from './os-user.js';
import { once } from 'node:events';
import { type ClusterContext, toClusterArgument } from './cluster.js';
import { readPostmasterFile, shutDownServer, pollUntil } from './server-shutdown.js';
import { findCause, openServerLog, readLogSince } from './server-log.js';

// Reading ends when the last writer of the pipe is gone. That writer is this process, however it ends.
const WATCH_SCRIPT = 'read -r _; kill -INT "$1"';

/**
 * Makes the server stop with this process, even after kill -9: a shell waits on a pipe from this process and sends
 * the server a fast shutdown when it closes. Returns a function that cancels the watch. Without a shell there is no
 * watch, and the next start stops the orphaned server.
 */
export function stopWithParent(pid: number, user: OsUser | undefined): () => void {
  if (process.platform === 'win32') return () => undefined;
  const watch = spawn('/bin/sh', ['-c', WATCH_SCRIPT, 'rapport-postgres-watch', String(pid)], {
    ...toSpawnIdentity(user),
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watch.on('error', () => undefined);
  watch.stdin.on('error', () => undefined);
  watch.unref();
  // Typed as a plain stream, but the pipe to a child is a socket, which would keep this process alive.
  (watch.stdin as Socket).unref();
  return () => void watch.kill('SIGKILL');
}

const DEFAULT_POSTGRES_PORT = 5432;

/** Finds a TCP port of 127.0.0.1 that is free now, never PostgreSQL's default one. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port === DEFAULT_POSTGRES_PORT ? findFreePort() : port;
}

/** Process of a server, from its spawn on. */
interface ServerProcess {
  readonly pid: number;
  isGone(): boolean;
  /** Resolves when the process exits; never rejects. */
  readonly exited: Promise<void>;
  /** Reads what the process has logged so far. */
  readLog(): Promise<string>;
  /** Sets whether the child keeps this process alive; initially it does. */
  keepParentAlive(enabled: boolean): void;
}

/**
 * Spawns a server process that stops with this one.
 * @throws Error of the operating system.
 */
async function spawnServer(context: ClusterContext, port: number): Promise<ServerProcess> {
  const log = await openServerLog(context.layout.log);
  const { size: logStart } = await log.stat();
  try {
    return await superviseProcess(spawnPostgres(context, port, log.fd), context, logStart);
  } finally {
    await log.close();
  }
}

async function superviseProcess(
  child: ChildProcess,
  context: ClusterContext,
  logStart: number,
): Promise<ServerProcess> {
  let hasExited = false;
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve())).then(() => void (hasExited = true));
  await once(child, 'spawn');
  const pid = child.pid as number;
  void exited.then(stopWithParent(pid, context.user));
  return {
    pid,
    isGone: () => hasExited,
    exited,
    readLog: () => readLogSince(context.layout.log, logStart),
    keepParentAlive: enabled => (enabled ? child.ref() : child.unref()),
  };
}

function spawnPostgres({ binaries, layout, user, durable }: ClusterContext, port: number, log: number): ChildProcess {
  const args = ['-D', toClusterArgument(layout.cluster, user), ...toArguments(buildServerSettings(port, durable))];
  return spawn(binaries.postgres, args, {
    ...toSpawnIdentity(user),
    cwd: layout.cluster,
    env: { ...buildChildEnvironment(), ...SERVER_ENVIRONMENT },
    // A session of its own: Ctrl-C in the terminal is for the hub, which then stops the server in order.
    detached: process.platform !== 'win32',
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
}

/**
 * Builds the server's settings, passed on the command line so that no file can weaken them. Durability is never
 * traded for speed; features that an embedded server does not need (sockets, replication, JIT, extra worker
 * processes) are off, so that it uses few resources when idle.
 * @param durable false for a throwaway server: a crash of the machine may corrupt it, and many hubs may use it.
 */
export function buildServerSettings(port: number, durable: boolean): Record<string, string> {
  return {
    ...RESOURCE_SETTINGS,
    ...(durable ? DURABLE_SETTINGS : THROWAWAY_SETTINGS),
    ...LOG_SETTINGS,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    timezone: 'UTC',
    cluster_name: 'rapport',
  };
}

/** Converts settings to arguments of `postgres` and `initdb`. */
export function toArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Environment of the server. The C library of most Linux systems returns memory as soon as 128 kB of it are free, so
 * that each statement of a batch would get new pages that the kernel clears first: clearing them took 2 % of both
 * processors at 64 connections. With these values it keeps up to 4 MB for each session; other systems ignore them.
 */
export const SERVER_ENVIRONMENT = { MALLOC_TRIM_THRESHOLD_: String(4 << 20), MALLOC_MMAP_THRESHOLD_: String(4 << 20) };

const DURABLE_SETTINGS = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

// A throwaway server serves the hubs of a whole test run at once.
const THROWAWAY_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };

// The buffers hold the working set of about ten thousand people; memory is allocated as they fill. With 64 MB each
// recording call wrote one page and read another. After a checkpoint each page is logged in full once: with the
// default max_wal_size of 1 GB that happened every half minute under load. After a crash, each GB of WAL takes about
// three seconds to replay.
const RESOURCE_SETTINGS = {
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  huge_pages: 'off',
  io_method: 'sync',
  jit: 'off',
  max_worker_processes: '4',
  max_parallel_workers: '2',
  max_logical_replication_workers: '0',
  max_wal_senders: '0',
  wal_level: 'minimal',
};

// Neither the text of statements nor the values in "DETAIL" may reach the log: both contain personal data.
const LOG_SETTINGS = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  lc_messages: 'C',
};

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
