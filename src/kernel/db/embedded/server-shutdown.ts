import { setTimeout as pause } from 'node:timers/promises';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './binaries.js';
import { execProgram } from './child-process.js';
import { hasErrorCode } from './server-log.js';
import type { Layout } from './layout.js';

const POLL_INTERVAL_MS = 15;

/** Polls until the condition is true; returns false after `timeoutMs` milliseconds. */
export async function pollUntil(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() >= end) return false;
    await pause(POLL_INTERVAL_MS);
  }
}

/**
 * Stops a server that survived the process that started it, and removes a postmaster.pid whose process ID now belongs
 * to another program, because PostgreSQL would refuse to start. Requires the lock of the data folder.
 * @throws Error with a sentence if the old server does not stop.
 */
export async function stopOrphan(layout: Layout, binaries: Binaries, log: (message: string) => void): Promise<void> {
  const { cluster } = layout;
  const found = await readPostmasterFile(cluster);
  if (!found) return;
  const { pid } = found;
  if (await isServingCluster(pid, cluster, binaries)) {
    log(`Ending the database server ${pid} that an earlier run has left behind`);
    const isGone = async () => !(await isServingCluster(pid, cluster, binaries));
    if (await shutDownServer({ pid, binaries, isGone })) return;
    throw new Error(`An earlier run's database server (process ${pid}) does not end: end it, then start again.`);
  }
  if (isProcessAlive(pid)) await rm(getPostmasterFilePath(cluster), { force: true });
}

/** Returns whether the process is a PostgreSQL server of exactly this cluster. */
async function isServingCluster(pid: number, cluster: string, binaries: Binaries): Promise<boolean> {
  if (process.platform === 'linux') return isServingClusterByProc(pid, cluster);
  if (process.platform === 'win32') return (await execProgram(binaries.pgCtl, ['status', '-D', cluster])).code === 0;
  const { output } = await execProgram('/bin/ps', ['-o', 'command=', '-p', String(pid)]);
  return output.includes('postgres') && output.includes(cluster);
}

// A server's working directory is its cluster, whatever path was passed to it; a zombie has none.
async function isServingClusterByProc(pid: number, cluster: string): Promise<boolean> {
  try {
    const [clusterStats, processStats, cwdStats, command] = await Promise.all([
      stat(cluster),
      stat(`/proc/${pid}`),
      stat(`/proc/${pid}/cwd`),
      readFile(`/proc/${pid}/comm`, 'utf8'),
    ]);
    const isInCluster = clusterStats.dev === cwdStats.dev && clusterStats.ino === cwdStats.ino;
    return isInCluster && clusterStats.uid === processStats.uid && command.trim() === 'postgres';
  } catch {
    return false;
  }
}

/** State that a running server writes into its cluster. */
interface PostmasterFile {
  readonly pid: number;
  /** Whether the server reports that it accepts connections. */
  readonly isReady: boolean;
}

/** Parses the text of postmaster.pid; undefined while it is incomplete. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return { pid, isReady: lines[7]?.trim() === 'ready' };
}

/** Returns the path of postmaster.pid in a cluster. */
export function getPostmasterFilePath(cluster: string): string {
  return path.join(cluster, 'postmaster.pid');
}

/** Reads postmaster.pid of a cluster; undefined if there is none. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(getPostmasterFilePath(cluster), 'utf8').catch(() => '');
  return parsePostmasterFile(text);
}

/** Returns whether a process of any user has this ID now. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}

/** A server to shut down. */
export interface ShutdownTarget {
  readonly pid: number;
  readonly binaries: Binaries;
  isGone(): boolean | Promise<boolean>;
}

type Signal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

// "Fast" ends sessions and writes a checkpoint, "immediate" leaves that to recovery at the next start.
const SHUTDOWN_STEPS: readonly [Signal, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/**
 * Shuts a server down: fast, after 10 s immediately, after 15 s with SIGKILL. Returns false if it still runs after
 * that.
 */
export async function shutDownServer(target: ShutdownTarget): Promise<boolean> {
  for (const [signal, timeoutMs] of SHUTDOWN_STEPS) {
    await sendSignal(signal, target);
    if (await pollUntil(() => target.isGone(), timeoutMs)) return true;
  }
  return false;
}

async function sendSignal(signal: Signal, { pid, binaries }: ShutdownTarget): Promise<void> {
  // Windows has no such signals; there PostgreSQL's own tool delivers them.
  if (process.platform === 'win32' && signal !== 'SIGKILL') {
    await execProgram(binaries.pgCtl, ['kill', signal.slice('SIG'.length), String(pid)]);
    return;
  }
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone, or not permitted: `isGone` decides.
  }
}
