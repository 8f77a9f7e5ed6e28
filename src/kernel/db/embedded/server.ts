import type { ClusterTools } from './cluster-tools.js';
import { freePort } from './free-port.js';
import { readPostmasterFile } from './postmaster-file.js';
import { causeInLog } from './server-log.js';
import { spawnServer } from './server-process.js';
import type { ServerProcess } from './server-process.js';
import { shutDown } from './shutdown.js';
import { until } from './until.js';

/** A running server. */
export interface Server {
  readonly port: number;
  /** Calls back once, when the server has ended for whatever reason. */
  whenGone(callback: () => void): void;
  /** Ends it and waits for that: fast, after 10 s with more force. */
  stop(): Promise<void>;
}

/** A start that failed, and whether the same start can succeed a moment later. */
export class ServerDidNotStart extends Error {
  readonly worthRetrying: boolean;

  constructor(message: string, worthRetrying: boolean) {
    super(message);
    this.worthRetrying = worthRetrying;
  }
}

const PASSING = /Address already in use|could not bind|TCP\/IP sockets|lock file "postmaster.pid"|shared memory block/;
const REPORT_EVERY_MS = 10_000;

/**
 * Starts the server on a free port and waits until it takes connections; recovery after a crash may take a
 * while and is waited for. Errors: ServerDidNotStart with the server's own reason.
 */
export async function startServer(tools: ClusterTools): Promise<Server> {
  const port = await freePort();
  const running = await spawnServer(tools, port);
  tools.onWaiting();
  await untilReady(running, tools);
  if (running.isGone()) throw didNotStart(tools, await running.logged());
  running.hold(false);
  return {
    port,
    whenGone: callback => void running.ended.then(callback),
    stop: () => stop(running, tools),
  };
}

async function untilReady(running: ServerProcess, { layout, log }: ClusterTools): Promise<void> {
  const isDecided = async () => {
    const file = await readPostmasterFile(layout.cluster);
    return running.isGone() || (file?.ready === true && file.pid === running.pid);
  };
  while (!(await until(isDecided, REPORT_EVERY_MS))) log('The database is still recovering from a crash');
}

async function stop(running: ServerProcess, { binaries }: ClusterTools): Promise<void> {
  running.hold(true);
  if (running.isGone()) return;
  if (await shutDown({ pid: running.pid, binaries, isGone: running.isGone })) return;
  throw new Error(`The database server (process ${running.pid}) does not end: end it by hand.`);
}

function didNotStart({ layout }: ClusterTools, logged: string): ServerDidNotStart {
  const cause = causeInLog(logged) || 'it gave no reason';
  return new ServerDidNotStart(`The database does not start (${cause}): see ${layout.log}.`, PASSING.test(logged));
}
