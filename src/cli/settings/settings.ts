import { CliError } from '../base/exit.js';
import { type Credentials, readCredentials } from './credentials.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a hub is looked for when nobody says. */
export const DEFAULT_BASE_URL = 'http://localhost:3000';

/** With which hub a command speaks, and as whom. */
export interface Settings {
  /** Origin of the hub, without a slash at the end. */
  readonly baseUrl: string;
  readonly baseUrlFrom: 'option' | 'RAPPORT_BASE_URL' | 'file' | 'default';
  /** Undefined when there is none. */
  readonly apiKey?: string;
  readonly apiKeyFrom?: 'RAPPORT_API_KEY' | 'file';
  readonly keyId?: string;
  /** Set when a key is saved, but for another hub than this one: it is not sent there. */
  readonly savedFor?: string;
}

/**
 * The settings in force: `--base-url`, then RAPPORT_BASE_URL, then the file; RAPPORT_API_KEY, then the file. A saved key
 * goes to the hub that it was saved for and to no other.
 * @throws CliError for an address that is none
 */
export async function loadSettings(env: Environment, baseUrlOption?: string): Promise<Settings> {
  const saved = await readCredentials(env);
  const place = resolveBaseUrl(env, baseUrlOption, saved);
  const given = env['RAPPORT_API_KEY']?.trim();
  if (given) return { ...place, apiKey: given, apiKeyFrom: 'RAPPORT_API_KEY' };
  if (!saved) return place;
  if (parseOrigin(saved.base_url) !== place.baseUrl) return { ...place, savedFor: parseOrigin(saved.base_url) };
  const { api_key: apiKey, key_id } = saved;
  return { ...place, apiKey, apiKeyFrom: 'file', ...(key_id !== null && { keyId: key_id }) };
}

function resolveBaseUrl(env: Environment, option: string | undefined, saved: Credentials | undefined): Settings {
  if (option !== undefined) return { baseUrl: parseOrigin(option), baseUrlFrom: 'option' };
  const variable = env['RAPPORT_BASE_URL']?.trim();
  if (variable) return { baseUrl: parseOrigin(variable), baseUrlFrom: 'RAPPORT_BASE_URL' };
  if (saved) return { baseUrl: parseOrigin(saved.base_url), baseUrlFrom: 'file' };
  return { baseUrl: DEFAULT_BASE_URL, baseUrlFrom: 'default' };
}

/** The origin of an address; a path in it is left out, because the hub answers at the root. @throws CliError */
export function parseOrigin(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw CliError.usage(`"${address}" is no address of a hub.`, 'Write it as https://rapport.example.com.');
}

/** Whether only this machine can listen in. */
export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
}
