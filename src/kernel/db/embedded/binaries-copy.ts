import { createHash, randomBytes } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import type { Dirent, Stats } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hasErrorCode, getErrorMessage } from './startup-errors.js';

const SHARED_MODE = 0o755;
const WRITABLE_BY_OTHERS_MASK = 0o022;

/**
 * Copies the programs to a folder where every account can run them; only root calls this. An existing copy is used if
 * this account owns it, nobody else may write to it, no file is missing or truncated, and its links match those of
 * the source. Skips folders from which programs do not run, such as those mounted with noexec.
 * @throws Error with a sentence for the user if no folder is suitable.
 */
export async function copyBinaries(source: string, isUsable: (folder: string) => Promise<boolean>): Promise<string> {
  const manifest = await buildManifest(source);
  const name = `rapport-postgres-${createHash('sha256').update(manifest).digest('hex').slice(0, 16)}`;
  const problems: string[] = [];
  for (const folder of await listCandidateFolders()) {
    try {
      const copy = await copyInto(path.join(folder, name), source, manifest);
      if (await isUsable(copy)) return copy;
      problems.push(`programs do not run from ${folder}`);
    } catch (error) {
      problems.push(getErrorMessage(error));
    }
  }
  throw new Error(
    `PostgreSQL cannot be copied to a folder that other users may enter (${problems.join('; ')}): ` +
      'install Rapport in a folder that other users may enter, or set DATABASE_URL to a PostgreSQL server.',
  );
}

// System caches first: files in a temporary folder may be cleaned up under a running server.
async function listCandidateFolders(): Promise<string[]> {
  const all = [...new Set(['/var/cache', '/Library/Caches', os.tmpdir(), '/tmp', '/var/tmp'])];
  const found = await Promise.all(all.map(async folder => (await statIfExists(folder))?.isDirectory() === true));
  return all.filter((_, index) => found[index]);
}

async function copyInto(target: string, source: string, manifest: string): Promise<string> {
  if (await isComplete(target, manifest)) return target;
  const fresh = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    await copyFolder(source, fresh);
    await moveIntoPlace(fresh, target, manifest);
    return target;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function moveIntoPlace(fresh: string, target: string, manifest: string): Promise<void> {
  try {
    await rename(fresh, target);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    // A concurrent start was faster, or a cleanup of old files removed parts of the copy.
    if (await isComplete(target, manifest)) return;
    const replaced = `${fresh}.old`;
    await rename(target, replaced);
    await rename(fresh, target);
    await rm(replaced, { recursive: true, force: true });
  }
}

async function isComplete(target: string, manifest: string): Promise<boolean> {
  const stats = await statIfExists(target);
  if (!stats) return false;
  const isOurs = stats.isDirectory() && stats.uid === process.getuid?.();
  if (!isOurs || stats.mode & WRITABLE_BY_OTHERS_MASK) throw new Error(`${target} belongs to another user`);
  return (await buildManifest(target)) === manifest;
}

async function statIfExists(file: string): Promise<Stats | undefined> {
  return lstat(file).catch(() => undefined);
}

async function buildManifest(folder: string): Promise<string> {
  const lines = await Promise.all(
    (await listEntries(folder)).map(async entry => {
      const file = path.join(entry.parentPath, entry.name);
      return `${path.relative(folder, file)}\t${await fingerprintEntry(entry, file)}`;
    }),
  );
  return lines.sort().join('\n');
}

async function fingerprintEntry(entry: Dirent, file: string): Promise<string> {
  if (entry.isSymbolicLink()) return readlink(file);
  return entry.isFile() ? String((await lstat(file)).size) : '-';
}

async function listEntries(folder: string): Promise<Dirent[]> {
  return readdir(folder, { recursive: true, withFileTypes: true });
}

// Sets each mode explicitly: a strict umask, at install or now, must not lock out the other account.
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, SHARED_MODE);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(entries.map(entry => copyEntry(entry, path.join(to, entry.name))));
}

async function copyEntry(entry: Dirent, to: string): Promise<void> {
  const from = path.join(entry.parentPath, entry.name);
  if (entry.isDirectory()) return copyFolder(from, to);
  if (entry.isSymbolicLink()) return symlink(await readlink(from), to);
  await copyFile(from, to);
  await chmod(to, SHARED_MODE);
}
