import { readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { fieldOf, reasonOf } from './failure.js';
import type { Layout } from './layout.js';
import { isTaken } from './process-id.js';
import { until } from './until.js';

/** Who uses a data folder. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
  readonly publicUrl?: string;
}

/** A held data folder. */
export interface DataDirLock {
  /** Gives the folder free; may be called twice. */
  release(): Promise<void>;
}

// An unreferenced connection would be collected as garbage, and its lock with it.
const held = new Set<DatabaseSync>();

/**
 * Takes the data folder for this process, or says in one sentence who has it.
 *
 * Node offers no file lock of its own, but its SQLite takes one that the operating system owns (fcntl on
 * Unix, LockFileEx on Windows): it dies with its process, however that ends, and only one starter gets it.
 * The file stays empty, it is never used as a database. Nothing else in this process may open it: closing any
 * other handle on it would drop the lock.
 */
export async function holdDataDir(layout: Layout, publicUrl?: string): Promise<DataDirLock> {
  const connection = lockOrNothing(layout);
  if (!connection) throw new Error(await heldSentence(layout));
  held.add(connection);
  const release = async () => {
    if (!held.delete(connection)) return;
    await rm(layout.holder, { force: true }).finally(() => connection.close());
  };
  try {
    await leaveName(layout, publicUrl);
  } catch (problem) {
    await release();
    throw problem;
  }
  return { release };
}

// Removed first: a killed holder may have left a file of another user, which could not be written over.
async function leaveName({ holder }: Layout, publicUrl: string | undefined): Promise<void> {
  const self = { pid: process.pid, host: os.hostname(), since: new Date().toISOString(), publicUrl };
  await rm(holder, { force: true });
  await writeFile(holder, `${JSON.stringify(self)}\n`, { mode: 0o600 });
}

function lockOrNothing(layout: Layout): DatabaseSync | undefined {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(layout.lock);
    connection.exec('BEGIN IMMEDIATE');
    return connection;
  } catch (problem) {
    connection?.close();
    if (isBusy(problem)) return undefined;
    throw new Error(
      `The folder ${layout.dataDir} cannot be locked (${reasonOf(problem)}): ` +
        'set DATA_DIR to a folder on a local disk that you may write in.',
      { cause: problem },
    );
  }
}

function isBusy(problem: unknown): boolean {
  const SQLITE_BUSY = 5;
  return fieldOf(problem, 'errcode') === SQLITE_BUSY;
}

async function heldSentence(layout: Layout): Promise<string> {
  // Between taking the lock and writing down its name, a holder is unknown for a moment.
  let holder: Holder | undefined;
  await until(async () => (holder = await readHolder(layout.holder)) !== undefined, 300);
  return describeHeld(layout.dataDir, holder);
}

/** The sentence for a second start; without a holder when its details could not be read. */
export function describeHeld(dataDir: string, holder: Holder | undefined): string {
  const advice = 'stop that one first, or set DATA_DIR to another folder for this one.';
  if (!holder) return `The data folder ${dataDir} is in use by a Rapport that is just starting: ${advice}`;
  const host = holder.host === os.hostname() ? '' : ` on ${holder.host}`;
  const address = holder.publicUrl ? `, serving ${holder.publicUrl}` : '';
  return (
    `The data folder ${dataDir} is in use by another Rapport ` +
    `(process ${holder.pid}${host}, since ${holder.since}${address}): ${advice}`
  );
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(file, 'utf8')) as Holder;
    return holder.host !== os.hostname() || isTaken(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}
