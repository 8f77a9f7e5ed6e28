import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { isFileNotFound } from './server-log.js';

/** An account of the operating system. */
export interface OsUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const UNPRIVILEGED_USERS = ['postgres', '_postgres', 'nobody'];

/** Parses the accounts in the text of /etc/passwd; ignores other lines. */
export function parsePasswd(text: string): OsUser[] {
  return text
    .split('\n')
    .map(line => line.split(':'))
    .filter(fields => fields.length >= 4 && !fields[0]?.startsWith('#'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => Number.isSafeInteger(uid) && Number.isSafeInteger(gid));
}

/** Chooses the account that runs the server instead of root: `postgres` if it exists, else `nobody`. */
export function chooseUnprivilegedUser(accounts: readonly OsUser[]): OsUser | undefined {
  return UNPRIVILEGED_USERS.map(name => accounts.find(account => account.name === name)).find(
    account => account !== undefined && account.uid > 0 && account.gid > 0,
  );
}

/**
 * Resolves the account that runs PostgreSQL; undefined for the account of this process. PostgreSQL refuses to run as
 * root, so root uses the owner of an existing cluster or else an unprivileged account.
 * @throws Error with a sentence if the cluster belongs to another user, or if root finds no unprivileged account.
 */
export async function resolveServerUser(cluster: string): Promise<OsUser | undefined> {
  const self = process.getuid?.();
  if (self === undefined) return undefined;
  const owner = await readOwner(cluster);
  if (self !== 0) return checkOwnAccount(cluster, self, owner);
  if (owner && owner.uid !== 0) return owner;
  const unprivileged = chooseUnprivilegedUser(parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => '')));
  if (unprivileged) return unprivileged;
  throw new Error(
    'PostgreSQL does not run as root and this machine has no user named postgres or nobody: ' +
      'start Rapport as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

function checkOwnAccount(cluster: string, self: number, owner: OsUser | undefined): undefined {
  if (!owner && !hasAccount()) {
    throw new Error(
      `PostgreSQL cannot be set up by user id ${self}, which has no account on this machine: ` +
        'start Rapport as a user that has one, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  if (!owner || owner.uid === self) return undefined;
  throw new Error(
    `The database in ${cluster} belongs to another user (uid ${owner.uid}), probably because Rapport was ` +
      'once started as root: start it in the same way again, or set DATA_DIR to another folder.',
  );
}

function hasAccount(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

async function readOwner(folder: string): Promise<OsUser | undefined> {
  try {
    const { uid, gid } = await stat(folder);
    return { name: `uid ${uid}`, uid, gid };
  } catch (error) {
    if (isFileNotFound(error)) return undefined;
    throw error;
  }
}
