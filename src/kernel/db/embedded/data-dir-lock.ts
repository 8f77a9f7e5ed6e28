import { readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { getErrorField, getErrorMessage } from './server-log.js';
import type { Layout } from './layout.js';
import { isProcessAlive, pollUntil } from './server-shutdown.js';

/** The process that uses a data folder. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Time in ISO 8601. */
  readonly since: string;
  readonly publicUrl?: string;
}

/** A locked data folder. */
export interface DataDirLock {
  /** Releases the folder; may be called twice. */
  release(): Promise<void>;
}

// An unreferenced connection would be collected as garbage, and its lock with it.
const openLocks = new Set<DatabaseSync>();

/**
 * Locks the data folder for this process. Node has no file lock of its own, but its SQLite takes one that the
 * operating system owns (fcntl on Unix, LockFileEx on Windows): it ends with its process in any case, and only one
 * start gets it. The file stays empty and is never used as a database. Nothing else in this process may open it:
 * closing any other handle on it would release the lock.
 * @throws Error with a sentence that names the process which holds the lock.
 */
export async function acquireDataDirLock(layout: Layout, publicUrl?: string): Promise<DataDirLock> {
  const connection = tryLock(layout);
  if (!connection) throw new Error(await describeCurrentLock(layout));
  openLocks.add(connection);
  const release = async () => {
    if (!openLocks.delete(connection)) return;
    await rm(layout.lockOwner, { force: true }).finally(() => connection.close());
  };
  try {
    await writeLockOwner(layout, publicUrl);
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

// Removed first: a killed owner may have left a file of another user that this process cannot overwrite.
async function writeLockOwner({ lockOwner }: Layout, publicUrl: string | undefined): Promise<void> {
  const self = { pid: process.pid, host: os.hostname(), since: new Date().toISOString(), publicUrl };
  await rm(lockOwner, { force: true });
  await writeFile(lockOwner, `${JSON.stringify(self)}\n`, { mode: 0o600 });
}

function tryLock(layout: Layout): DatabaseSync | undefined {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(layout.lock);
    connection.exec('BEGIN IMMEDIATE');
    return connection;
  } catch (error) {
    connection?.close();
    if (isBusy(error)) return undefined;
    throw new Error(
      `The folder ${layout.dataDir} cannot be locked (${getErrorMessage(error)}): ` +
        'set DATA_DIR to a folder on a local disk that you may write in.',
      { cause: error },
    );
  }
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return getErrorField(error, 'errcode') === SQLITE_BUSY;
}

async function describeCurrentLock(layout: Layout): Promise<string> {
  // An owner takes the lock before it writes its details, so they may be missing for a moment.
  let owner: LockOwner | undefined;
  await pollUntil(async () => (owner = await readLockOwner(layout.lockOwner)) !== undefined, 300);
  return describeLock(layout.dataDir, owner);
}

/** Returns the error message for a second start; without an owner if its details could not be read. */
export function describeLock(dataDir: string, owner: LockOwner | undefined): string {
  const advice = 'stop that one first, or set DATA_DIR to another folder for this one.';
  if (!owner) return `The data folder ${dataDir} is in use by a Rapport that is just starting: ${advice}`;
  const host = owner.host === os.hostname() ? '' : ` on ${owner.host}`;
  const address = owner.publicUrl ? `, serving ${owner.publicUrl}` : '';
  return (
    `The data folder ${dataDir} is in use by another Rapport ` +
    `(process ${owner.pid}${host}, since ${owner.since}${address}): ${advice}`
  );
}

async function readLockOwner(file: string): Promise<LockOwner | undefined> {
  try {
    const owner = JSON.parse(await readFile(file, 'utf8')) as LockOwner;
    return owner.host !== os.hostname() || isProcessAlive(owner.pid) ? owner : undefined;
  } catch {
    return undefined;
  }
}
