import { readFile } from 'node:fs/promises';
import { CliError } from '../base/errors.js';
import { type Credentials, readCredentials } from './credentials.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Default address of the hub. */
export const DEFAULT_BASE_URL = 'http://localhost:3000';

/** Address of the hub and API key of a command. */
export interface Settings {
  /** Origin of the hub, without a trailing slash. */
  readonly baseUrl: string;
  readonly baseUrlFrom: 'option' | 'RAPPORT_BASE_URL' | 'file' | 'default';
  /** The API key; undefined if there is none. */
  readonly apiKey?: string;
  readonly apiKeyFrom?: 'RAPPORT_API_KEY' | 'RAPPORT_API_KEY_FILE' | 'file';
  readonly keyId?: string;
  /** Address of another hub to which the saved key belongs. The key is not sent to this hub. */
  readonly savedFor?: string;
}

/**
 * Loads the settings. The address comes from `--base-url`, RAPPORT_BASE_URL or the file; the key from RAPPORT_API_KEY,
 * from the file that RAPPORT_API_KEY_FILE names, or from the saved credentials. A saved key is sent only to the hub for
 * which it was saved.
 * @throws CliError for an invalid address, and if the file of the key cannot be read or is empty
 */
export async function loadSettings(env: Environment, baseUrlOption?: string): Promise<Settings> {
  const saved = await readCredentials(env);
  const address = resolveBaseUrl(env, baseUrlOption, saved);
  const given = env['RAPPORT_API_KEY']?.trim();
  if (given) return { ...address, apiKey: given, apiKeyFrom: 'RAPPORT_API_KEY' };
  const mounted = await readKeyFile(env);
  if (mounted !== undefined) return { ...address, apiKey: mounted, apiKeyFrom: 'RAPPORT_API_KEY_FILE' };
  if (!saved) return address;
  if (parseOrigin(saved.base_url) !== address.baseUrl) return { ...address, savedFor: parseOrigin(saved.base_url) };
  const { api_key: apiKey, key_id } = saved;
  return { ...address, apiKey, apiKeyFrom: 'file', ...(key_id !== null && { keyId: key_id }) };
}

/** Reads the key that a container mounts as a file; undefined if no file is named. */
async function readKeyFile(env: Environment): Promise<string | undefined> {
  const file = env['RAPPORT_API_KEY_FILE']?.trim();
  if (!file) return undefined;
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw CliError.usage(
      `RAPPORT_API_KEY_FILE: ${file} cannot be read (${error.code ?? 'unknown error'}).`,
      'Name a file that holds the API key and nothing else.',
    );
  });
  const key = text.trim();
  if (key !== '') return key;
  throw CliError.usage(`RAPPORT_API_KEY_FILE: ${file} is empty.`, 'Write the API key into it.');
}

function resolveBaseUrl(env: Environment, option: string | undefined, saved: Credentials | undefined): Settings {
  if (option !== undefined) return { baseUrl: parseOrigin(option), baseUrlFrom: 'option' };
  const variable = env['RAPPORT_BASE_URL']?.trim();
  if (variable) return { baseUrl: parseOrigin(variable), baseUrlFrom: 'RAPPORT_BASE_URL' };
  if (saved) return { baseUrl: parseOrigin(saved.base_url), baseUrlFrom: 'file' };
  return { baseUrl: DEFAULT_BASE_URL, baseUrlFrom: 'default' };
}

/**
 * Returns the origin of an address without its path, because the hub is served at the root.
 * @throws CliError if invalid
 */
export function parseOrigin(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw CliError.usage(`"${address}" is not an address of a hub.`, 'Write it as https://rapport.example.com.');
}

/** Checks whether an address is on this machine, so that plain http is safe. */
export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
}
