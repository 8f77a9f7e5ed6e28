import type { OsUser } from './os-user.js';

/**
 * Returns the path by which PostgreSQL's programs address a cluster; they always run with it as their working
 * directory. On Linux another account may lack access to the parent folders, such as root's home. The working
 * directory is opened before the user changes and stays open, and /proc/self/cwd names it without a path.
 */
export function toClusterArgument(cluster: string, user: OsUser | undefined, platform = process.platform): string {
  return user && platform === 'linux' ? '/proc/self/cwd' : cluster;
}
