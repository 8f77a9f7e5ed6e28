import { lstat, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';

interface Symlink {
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the symbolic links of the shared libraries that the install script of the package would create, because npm
 * may be configured to run no install scripts. Without write permission it does nothing: the following check of the
 * programs reports what is missing.
 */
export async function createMissingSymlinks(native: string): Promise<void> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as Symlink[];
  await Promise.all(links.map(link => createSymlink(path.dirname(native), link)));
}

async function createSymlink(root: string, { source, target }: Symlink): Promise<void> {
  const file = path.resolve(root, target);
  const existing = await lstat(file).catch(() => undefined);
  if (existing) return;
  await symlink(path.relative(path.dirname(file), path.resolve(root, source)), file).catch(() => undefined);
}
