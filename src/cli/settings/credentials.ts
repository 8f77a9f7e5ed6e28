import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { CliError, EXIT } from '../base/exit.js';
import { configFolder } from './paths.js';
import { writePrivateFile } from './private-file.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What signing in leaves behind. */
export interface Credentials {
  readonly base_url: string;
  readonly api_key: string;
  /** Id of the key in the workspace's list; null where the hub did not tell. */
  readonly key_id: string | null;
}

/** Where the credentials are kept. */
export function credentialsFile(env: Environment): string {
  return path.join(configFolder(env), 'credentials.json');
}

/** The saved credentials; undefined when there are none. @throws CliError when the file cannot be understood */
export async function readCredentials(env: Environment): Promise<Credentials | undefined> {
  const file = credentialsFile(env);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  return text === undefined ? undefined : parse(text, file);
}

/** Keeps credentials: file mode 0600 in a folder of mode 0700. */
export async function saveCredentials(env: Environment, credentials: Credentials): Promise<void> {
  await writePrivateFile(credentialsFile(env), `${JSON.stringify(credentials, null, 2)}\n`);
}

/** Forgets the credentials. */
export async function removeCredentials(env: Environment): Promise<void> {
  await rm(credentialsFile(env), { force: true });
}

function parse(text: string, file: string): Credentials {
  try {
    const { base_url, api_key, key_id } = JSON.parse(text) as Partial<Credentials>;
    if (typeof base_url === 'string' && typeof api_key === 'string')
      return { base_url, api_key, key_id: key_id ?? null };
  } catch {
    // Told below: what is in it stays unsaid.
  }
  const hint = 'Run rapport login, which writes it anew.';
  throw new CliError(EXIT.failed, 'bad_credentials_file', `${file} cannot be understood.`, { hint });
}
