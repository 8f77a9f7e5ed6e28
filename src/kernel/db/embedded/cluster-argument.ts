import type { OsUser } from './os-user.js';

/**
 * How a cluster is named to PostgreSQL's programs, which always run with it as their working directory.
 * On Linux, another account may not be allowed through the folders above (root's home, say). The working
 * directory is entered before the account changes and stays open to it, and /proc names it without a path.
 */
export function toClusterArgument(cluster: string, user: OsUser | undefined, platform = process.platform): string {
  return user && platform === 'linux' ? '/proc/self/cwd' : cluster;
}
