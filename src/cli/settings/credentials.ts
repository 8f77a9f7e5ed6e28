import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { CliError, EXIT } from '../base/errors.js';
import { configFolder, writePrivateFile } from './config-files.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Saved credentials. */
export interface Credentials {
  readonly base_url: string;
  readonly api_key: string;
  /** ID of the API key; null if the hub did not return it. */
  readonly key_id: string | null;
}

/** Returns the path of the credentials file. */
export function credentialsFile(env: Environment): string {
  return path.join(configFolder(env), 'credentials.json');
}

/** Reads the saved credentials; undefined if there are none. @throws CliError if the file is invalid */
export async function readCredentials(env: Environment): Promise<Credentials | undefined> {
  const file = credentialsFile(env);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  return text === undefined ? undefined : parse(text, file);
}

/** Saves credentials with file mode 0600 in a folder with mode 0700. */
export async function saveCredentials(env: Environment, credentials: Credentials): Promise<void> {
  await writePrivateFile(credentialsFile(env), `${JSON.stringify(credentials, null, 2)}\n`);
}

/** Deletes the saved credentials. */
export async function removeCredentials(env: Environment): Promise<void> {
  await rm(credentialsFile(env), { force: true });
}

function parse(text: string, file: string): Credentials {
  try {
    const { base_url, api_key, key_id } = JSON.parse(text) as Partial<Credentials>;
    if (typeof base_url === 'string' && typeof api_key === 'string')
      return { base_url, api_key, key_id: key_id ?? null };
  } catch {
    // Reported below, without the content of the file.
  }
  const hint = 'Run rapport login, which writes a new file.';
  throw new CliError(EXIT.failed, 'bad_credentials_file', `${file} is not a valid credentials file.`, { hint });
}
