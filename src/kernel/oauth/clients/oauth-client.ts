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
export const COMMAND_LINE: OAuthClient = {
  id: 'rapport-cli',
  name: 'Rapport CLI',
  redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  origin: 'cli',
};

const LONGEST_NAME = 100;

/** A name as it may be shown: no control or direction characters, one line, at most `longest` characters. */
export function showableName(text: string | undefined, otherwise: string, longest = LONGEST_NAME): string {
  const clean = (text ?? '')
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return [...clean].slice(0, longest).join('').trim() || otherwise;
}
