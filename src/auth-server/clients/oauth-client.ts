/** A program that requests an API key. All clients are public: none has a secret. */
export interface OAuthClient {
  readonly id: string;
  /** Its own name for itself; at most 100 characters without control characters. */
  readonly name: string;
  /** The host that vouches for the name; undefined if the name is unverified. */
  readonly host?: string;
  readonly redirectUris: readonly string[];
  /** The origin of its API keys. */
  readonly origin: 'oauth' | 'cli';
}

/** The hub's own CLI. It needs no registration and redirects to any port of its machine. */
export const CLI_CLIENT: OAuthClient = {
  id: 'rapport-cli',
  name: 'Rapport CLI',
  redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  origin: 'cli',
};

const MAX_NAME_LENGTH = 100;

/** Makes a name safe to display: one line without control or direction characters, at most `maxLength` characters. */
export function sanitizeName(text: string | undefined, fallback: string, maxLength = MAX_NAME_LENGTH): string {
  const clean = (text ?? '')
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return [...clean].slice(0, maxLength).join('').trim() || fallback;
}
