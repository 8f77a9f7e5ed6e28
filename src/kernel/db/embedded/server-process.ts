import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { buildChildEnvironment, toSpawnIdentity } from './child-process.js';
import { toClusterArgument } from './cluster-argument.js';
import type { ClusterContext } from './cluster-context.js';
import { stopWithParent } from './parent-watch.js';
import { readLogSince, openServerLog } from './server-log.js';
import { toArguments, SERVER_ENVIRONMENT, buildServerSettings } from './server-settings.js';

/** Process of a server, from its spawn on. */
export interface ServerProcess {
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
export async function spawnServer(context: ClusterContext, port: number): Promise<ServerProcess> {
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
