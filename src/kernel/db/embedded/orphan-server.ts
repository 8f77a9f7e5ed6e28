import { readFile, rm, stat } from 'node:fs/promises';
import type { Binaries } from './binaries.js';
import { execProgram } from './child-process.js';
import type { Layout } from './layout.js';
import { getPostmasterFilePath, readPostmasterFile } from './postmaster-file.js';
import { isProcessAlive } from './process-alive.js';
import { shutDownServer } from './server-shutdown.js';

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
