import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment, identityOf } from './child-process.js';
import { clusterArgument } from './cluster-argument.js';
import type { ClusterTools } from './cluster-tools.js';
import { endWithParent } from './parent-watch.js';
import { logSince, openServerLog } from './server-log.js';
import { asArguments, SERVER_MEMORY, serverSettings } from './settings.js';

/** The process of a server, from its first moment on. */
export interface ServerProcess {
  readonly pid: number;
  isGone(): boolean;
  /** Fulfilled at its end, never rejected. */
  readonly ended: Promise<void>;
  /** What it has logged so far. */
  logged(): Promise<string>;
  /** Whether it keeps this process alive; at first it does. */
  hold(kept: boolean): void;
}

/** Starts a server process that ends with this one. Errors: those of the operating system. */
export async function spawnServer(tools: ClusterTools, port: number): Promise<ServerProcess> {
  const log = await openServerLog(tools.layout.log);
  const { size: logStart } = await log.stat();
  try {
    return await supervised(spawnPostgres(tools, port, log.fd), tools, logStart);
  } finally {
    await log.close();
  }
}

async function supervised(child: ChildProcess, tools: ClusterTools, logStart: number): Promise<ServerProcess> {
  let gone = false;
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve())).then(() => void (gone = true));
  await once(child, 'spawn');
  const pid = child.pid as number;
  void ended.then(endWithParent(pid, tools.user));
  return {
    pid,
    isGone: () => gone,
    ended,
    logged: () => logSince(tools.layout.log, logStart),
    hold: kept => (kept ? child.ref() : child.unref()),
  };
}

function spawnPostgres({ binaries, layout, user, durable }: ClusterTools, port: number, log: number): ChildProcess {
  const args = ['-D', clusterArgument(layout.cluster, user), ...asArguments(serverSettings(port, durable))];
  return spawn(binaries.postgres, args, {
    ...identityOf(user),
    cwd: layout.cluster,
    env: { ...childEnvironment(), ...SERVER_MEMORY },
    // A session of its own: Ctrl-C in the terminal is for the hub, which then ends the server in order.
    detached: process.platform !== 'win32',
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
}
