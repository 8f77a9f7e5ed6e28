import { lstat, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';

interface Symlink {
  readonly source: string;
  readonly target: string;
}

/**
 * Puts the symbolic links of the shared libraries in place that the package's install script makes, because
 * an npm that runs no install scripts leaves them out. Without the right to write nothing happens: the check
 * of the programs that follows tells what is missing.
 */
export async function createMissingSymlinks(native: string): Promise<void> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as Symlink[];
  await Promise.all(links.map(link => createSymlink(path.dirname(native), link)));
}

async function createSymlink(root: string, { source, target }: Symlink): Promise<void> {
  const place = path.resolve(root, target);
  const isThere = await lstat(place).catch(() => undefined);
  if (isThere) return;
  await symlink(path.relative(path.dirname(place), path.resolve(root, source)), place).catch(() => undefined);
}
