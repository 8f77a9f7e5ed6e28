import { chown, lchown, readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createCluster } from './cluster-creation.js';
import type { ClusterTools } from './cluster-tools.js';
import { isMissing } from './failure.js';
import { namesIn } from './files.js';
import type { OsUser } from './os-user.js';
import { keptPassword } from './password.js';

/**
 * Makes sure that there is a cluster which these programs can serve, and answers its superuser's password.
 * Errors: a sentence for a cluster of another PostgreSQL version or a folder that holds something else.
 */
export async function prepareCluster(tools: ClusterTools): Promise<string> {
  const { layout, binaries, user } = tools;
  const version = await clusterVersion(layout.cluster);
  if (version === undefined) return createCluster(tools);
  const ours = majorOf(binaries.version);
  if (version !== ours) throw otherVersion(layout.cluster, version, ours);
  if (user) await handOver(layout.cluster, user);
  return keptPassword(layout);
}

/** The part of a PostgreSQL version that decides whether a cluster can be opened: 18 of 18.4. */
export function majorOf(version: string): string {
  return version.split('.')[0] ?? version;
}

async function clusterVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (problem) {
    if (!isMissing(problem)) throw problem;
  }
  if ((await namesIn(cluster)).length === 0) return undefined;
  throw new Error(
    `The folder ${cluster} holds something that is no PostgreSQL database: ` +
      'move it away, or set DATA_DIR to another folder.',
  );
}

function otherVersion(cluster: string, theirs: string, ours: string): Error {
  return new Error(
    `The database in ${cluster} was made by PostgreSQL ${theirs}, and this Rapport brings ${ours}: ` +
      'serve it with a matching server through DATABASE_URL, or set DATA_DIR to another folder.',
  );
}

// A backup that root has put back belongs to root, and PostgreSQL opens only what its own account owns.
async function handOver(cluster: string, user: OsUser): Promise<void> {
  if ((await stat(cluster)).uid === user.uid) return;
  const entries = await readdir(cluster, { recursive: true, withFileTypes: true });
  const paths = entries.map(({ parentPath, name }) => path.join(parentPath, name));
  await Promise.all(paths.map(entry => lchown(entry, user.uid, user.gid)));
  await chown(cluster, user.uid, user.gid);
}
