import { randomBytes } from 'node:crypto';
import { chown, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { isFileNotFound } from './startup-errors.js';
import type { Layout } from './layout.js';
import type { OsUser } from './os-user.js';

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
