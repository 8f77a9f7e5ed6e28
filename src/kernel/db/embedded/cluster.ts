import { chown, lchown, readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createCluster } from './cluster-creation.js';
import type { ClusterContext } from './cluster-context.js';
import { isFileNotFound } from './startup-errors.js';
import { listNames } from './files.js';
import type { OsUser } from './os-user.js';
import { loadPassword } from './password.js';

/**
 * Ensures that there is a cluster that these programs can serve and returns its superuser's password.
 * @throws Error with a sentence for a cluster of another PostgreSQL version or a folder with other content.
 */
export async function prepareCluster(context: ClusterContext): Promise<string> {
  const { layout, binaries, user } = context;
  const version = await readClusterVersion(layout.cluster);
  if (version === undefined) return createCluster(context);
  const supported = parseMajorVersion(binaries.version);
  if (version !== supported) throw createVersionMismatchError(layout.cluster, version, supported);
  if (user) await changeOwner(layout.cluster, user);
  return loadPassword(layout);
}

/** Returns the part of a PostgreSQL version that decides whether a cluster can be opened: 18 of 18.4. */
export function parseMajorVersion(version: string): string {
  return version.split('.')[0] ?? version;
}

async function readClusterVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (!isFileNotFound(error)) throw error;
  }
  if ((await listNames(cluster)).length === 0) return undefined;
  throw new Error(
    `The folder ${cluster} holds something that is no PostgreSQL database: ` +
      'move it away, or set DATA_DIR to another folder.',
  );
}

function createVersionMismatchError(cluster: string, found: string, supported: string): Error {
  return new Error(
    `The database in ${cluster} was made by PostgreSQL ${found}, and this Rapport brings ${supported}: ` +
      'serve it with a matching server through DATABASE_URL, or set DATA_DIR to another folder.',
  );
}

// A backup that root has restored belongs to root, and PostgreSQL opens only what its own account owns.
async function changeOwner(cluster: string, user: OsUser): Promise<void> {
  if ((await stat(cluster)).uid === user.uid) return;
  const entries = await readdir(cluster, { recursive: true, withFileTypes: true });
  const paths = entries.map(({ parentPath, name }) => path.join(parentPath, name));
  await Promise.all(paths.map(entry => lchown(entry, user.uid, user.gid)));
  await chown(cluster, user.uid, user.gid);
}
