// What a run of the tests leaves nowhere, however it ends: its temporary files, and its databases on a server of its own
// choice. After kill -9 the next run removes the files.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 1024 ** 3;
const PREFIX = 'rapport-test-';

/** The folder for everything that this run writes; those of runs that are over go. */
export function openFolder() {
  const place = roomiest();
  for (const name of readdirSync(place).filter(isOver)) remove(join(place, name));
  const folder = mkdtempSync(join(place, `${PREFIX}${process.pid}-`));
  // What root starts in it runs under other accounts, which must get through.
  chmodSync(folder, 0o711);
  return folder;
}

/** Removes a folder, also while a database that was killed is still ending in it. */
export function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
}

/** Drops the databases whose names begin with `prefix`, which the suites of an interrupted run had no time to drop. */
export async function dropDatabases(url, prefix) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [prefix]);
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

/** Memory where there is enough of it: no test needs what it writes to outlive the run, and a disk takes its time. */
function roomiest() {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
}

/** Whether a folder is that of a run whose process is gone. */
function isOver(name) {
  const pid = Number(/^rapport-test-(\d+)-/.exec(name)?.[1]);
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (problem) {
    return problem.code === 'ESRCH';
  }
}
