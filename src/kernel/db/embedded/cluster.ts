import {
  type FileHandle,
  chown,
  lchown,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { isFileNotFound, findCause } from './server-log.js';
import type { OsUser } from './os-user.js';
import type { Binaries } from './binaries.js';
import type { Layout } from './layout.js';
import { type ProgramResult, execProgram } from './child-process.js';

/** The superuser of the embedded cluster. It creates the owner and the database; then nobody can log in as it. */
export const SUPERUSER = 'postgres';

// This locale only decides what counts as a letter; order and case use PostgreSQL's builtin C.UTF-8 everywhere.
const CTYPE_CANDIDATES = process.platform === 'darwin' ? ['en_US.UTF-8', 'C'] : ['C.UTF-8', 'C'];

/**
 * Creates the cluster and returns the password of the database's owner, which is its superuser's at first. It is created in a draft folder and renamed when
 * complete, so a start that is killed leaves nothing that the next start could mistake for a database.
 * @throws Error with a sentence that contains the reason of initdb.
 */
async function createCluster(context: ClusterContext): Promise<string> {
  const { layout, log } = context;
  log(`Creating the database in ${layout.cluster}`);
  await removeDrafts(context);
  const password = await createPassword(layout);
  const draft = `${layout.cluster}.new-${randomBytes(6).toString('hex')}`;
  try {
    await initializeDraft(context, draft, password);
    await rename(draft, layout.cluster);
  } finally {
    await removeDraft(draft);
  }
  await syncFolder(layout.dataDir);
  return password;
}

async function removeDrafts({ layout }: ClusterContext): Promise<void> {
  const prefix = `${path.basename(layout.cluster)}.new-`;
  const drafts = (await listNames(layout.dataDir)).filter(name => name.startsWith(prefix));
  await Promise.all(drafts.map(name => removeDraft(path.join(layout.dataDir, name))));
}

// An initdb whose parent was killed may still write there. It does no harm and must not prevent a start.
async function removeDraft(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
}

async function initializeDraft(context: ClusterContext, draft: string, password: string): Promise<void> {
  await mkdir(draft, { mode: 0o700 });
  if (context.user) await chown(draft, context.user.uid, context.user.gid);
  let outcome: ProgramResult = { code: null, output: '' };
  for (const ctype of CTYPE_CANDIDATES) {
    outcome = await initdb(context, draft, password, ctype);
    if (outcome.code === 0) return;
    if (!outcome.output.includes('invalid locale')) break;
  }
  throw new Error(
    `The database cannot be created in ${context.layout.cluster} (${findCause(outcome.output)}): ` +
      'set DATA_DIR to a folder on a local disk, or set DATABASE_URL to a PostgreSQL server.',
  );
}

async function initdb(
  { layout, binaries, user, onWaiting }: ClusterContext,
  draft: string,
  password: string,
  ctype: string,
): Promise<ProgramResult> {
  const secret = await openPasswordFile(layout, password, user);
  const passwordFile = process.platform === 'win32' ? layout.password : '/dev/stdin';
  const args = [
    `--pgdata=${toClusterArgument(draft, user)}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    `--lc-ctype=${ctype}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--text-search-config=english',
    '--no-instructions',
  ];
  const running = execProgram(binaries.initdb, args, { user, cwd: draft, stdin: secret.fd });
  onWaiting();
  return running.finally(() => secret.close());
}

/** Lists the names in a folder; empty if there is no folder. */
export async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isFileNotFound(error)) return [];
    throw error;
  });
}

/** Makes a rename in this folder survive a power failure. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/**
 * Reads the password from the data folder.
 * @throws Error with a sentence if the file is missing or not readable.
 */
export async function loadPassword({ password, dataDir }: Layout): Promise<string> {
  try {
    return (await readFile(password, 'utf8')).trim();
  } catch (error) {
    throw new Error(
      isFileNotFound(error)
        ? `The database in ${dataDir} cannot be opened without ${password}: put that file back from a backup.`
        : `The file ${password} cannot be read: start Rapport as the user that created it.`,
      { cause: error },
    );
  }
}

/** Creates a random password and stores it in the data folder, mode 0600, before any cluster depends on it. */
export async function createPassword({ password }: Layout): Promise<string> {
  const secret = randomBytes(24).toString('base64url');
  const draft = `${password}.new`;
  await rm(draft, { force: true });
  await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await rename(draft, password);
  return secret;
}

/**
 * Opens a file with the password that the given account may read. The file is already unlinked, so the account needs
 * no access to the data folder. The caller closes it.
 */
export async function openPasswordFile(layout: Layout, secret: string, user: OsUser | undefined): Promise<FileHandle> {
  const file = `${layout.password}.initdb`;
  await rm(file, { force: true });
  await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  if (user) await chown(file, user.uid, user.gid);
  const handle = await open(file, 'r');
  await rm(file);
  return handle;
}

/** Programs, paths and options for the work on a cluster. */
export interface ClusterContext {
  readonly layout: Layout;
  readonly binaries: Binaries;
  /** The account of the server; undefined for the account of this process. */
  readonly user: OsUser | undefined;
  /** Whether the data survive a crash of the machine. */
  readonly durable: boolean;
  readonly log: (message: string) => void;
  /** Called when another process works for a while and this one is idle. */
  readonly onWaiting: () => void;
}

/**
 * Returns the path by which PostgreSQL's programs address a cluster; they always run with it as their working
 * directory. On Linux another account may lack access to the parent folders, such as root's home. The working
 * directory is opened before the user changes and stays open, and /proc/self/cwd names it without a path.
 */
export function toClusterArgument(cluster: string, user: OsUser | undefined, platform = process.platform): string {
  return user && platform === 'linux' ? '/proc/self/cwd' : cluster;
}

/**
 * Ensures that there is a cluster that these programs can serve and returns the password of the database's owner.
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
