import { createSecretKey, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env } from '#kernel/config/env.js';
import { KEY_BYTES, parseSecretKeys, type SecretKey, formatSecretKeys, SecretBox } from './secret-box.js';

/** Name of the file in DATA_DIR that holds the keys of the embedded default. */
export const KEY_FILE_NAME = 'secret.keys';

/** Thrown if there is no key for encryption; the message names the fix. */
export class MissingSecretKeyError extends Error {}

/**
 * Opens the secret box of this process: with the keys of SECRET_KEYS, or, with the embedded database, with a key that
 * is created at the first start and stored in DATA_DIR (`secret.keys`, mode 0600).
 * @throws MissingSecretKeyError with DATABASE_URL and without SECRET_KEYS: a key created by each process would be
 * lost.
 */
export async function openSecretBox(env: Pick<Env, 'secretKeys' | 'databaseUrl' | 'dataDir'>): Promise<SecretBox> {
  checkSecretKeys(env);
  return new SecretBox(env.secretKeys ?? (await loadOwnKeys(env.dataDir)));
}

/**
 * Checks that there is a key for encryption, before anything is opened.
 * @throws MissingSecretKeyError with DATABASE_URL and without SECRET_KEYS
 */
export function checkSecretKeys({ secretKeys, databaseUrl }: Pick<Env, 'secretKeys' | 'databaseUrl'>): void {
  if (secretKeys || !databaseUrl) return;
  throw new MissingSecretKeyError(
    'with DATABASE_URL, SECRET_KEYS must be set: the credentials of connections are sealed with it. ' +
      `Make a key with "openssl rand -base64 ${KEY_BYTES}" and set SECRET_KEYS=k1:<that>, the same for every process.`,
  );
}

async function loadOwnKeys(dataDir: string): Promise<SecretKey[]> {
  const file = join(dataDir, KEY_FILE_NAME);
  const text = (await readIfExists(file)) ?? (await createKeyFile(dataDir, file));
  const keys = parseSecretKeys(text.trim());
  if (typeof keys === 'string') throw new MissingSecretKeyError(`${file}: ${keys}. Put the file back as it was.`);
  return keys;
}

/**
 * Creates the key file by a hard link, which appears atomically and only once, so that concurrent starts use the same
 * key.
 */
async function createKeyFile(dataDir: string, file: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${formatSecretKeys([{ id: 'k1', key: createSecretKey(randomBytes(KEY_BYTES)) }])}\n`, {
    mode: 0o600,
    flag: 'wx',
  });
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(file, 'utf8');
}

async function readIfExists(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(error => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}
