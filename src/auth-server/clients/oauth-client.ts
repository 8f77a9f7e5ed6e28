/** A program that asks for a key, as far as it is known. All of them are public clients: none has a secret. */
export interface OAuthClient {
  readonly id: string;
  /** What it calls itself; at most 100 characters, none of them a control character. */
  readonly name: string;
  /** The host that vouches for the name; undefined where nobody does. */
  readonly host?: string;
  readonly redirectUris: readonly string[];
  /** What its keys are said to come from. */
  readonly origin: 'oauth' | 'cli';
}

/** Our own command line: known without registering, on any port of the machine where it runs. */
export const CLI_CLIENT: OAuthClient = {
  id: 'rapport-cli',
  name: 'Rapport CLI',
  redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  origin: 'cli',
};

const MAX_NAME_LENGTH = 100;

/** A name as it may be shown: no control or direction characters, one line, at most `longest` characters. */
export function sanitizeName(text: string | undefined, fallback: string, maxLength = MAX_NAME_LENGTH): string {
  const clean = (text ?? '')
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return [...clean].slice(0, maxLength).join('').trim() || fallback;
}
