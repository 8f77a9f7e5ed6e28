import { hostname } from 'node:os';
import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { deviceLogin, readPastedKey, saveKey } from '../login/device-login.js';
import { CliError } from '../base/errors.js';
import { printNotice } from '../base/terminal.js';
import { ApiClient } from '../api/api-client.js';
import { revokeOwnKey } from '../login/device-grant.js';
import { credentialsFile, readCredentials, removeCredentials } from '../settings/credentials.js';
import { parseOrigin } from '../settings/settings.js';

interface LoginOptions {
  readonly key?: boolean;
  readonly browser: boolean;
  readonly scopes: string;
  readonly name?: string;
}

/** `login` */
export const addLoginCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'login',
    summary: 'sign in by browser and save an API key',
    description:
      'Sign in. Prints an address and a code, and opens a browser if there is one. You can use any browser, ' +
      'also on another machine. When you approve the code, an API key is saved that only you can read.',
    examples: [
      'rapport login',
      'rapport login --base-url https://rapport.example.com',
      'rapport login --no-browser',
      'pass show rapport | rapport login --key',
    ],
  })
    .option('--key', 'read an API key from stdin instead')
    .option('--no-browser', 'do not open a browser')
    .option('--scopes <scopes>', 'scopes of the key: read, write, settings, admin', 'read,write')
    .option('--name <name>', 'name of this machine on the page and in the list of keys; default: its host name')
    .action(
      action(terminal, holder, async (context, options: LoginOptions) => {
        const hub = await context.anonymousClient();
        const granted = options.key
          ? { apiKey: await readPastedKey(context) }
          : await deviceLogin(context, hub, { name: hostname(), ...options });
        await saveKey(context, hub.settings.baseUrl, granted);
      }),
    );
};

/** `logout` */
export const addLogoutCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'logout',
    summary: 'revoke the saved key and delete it',
    description:
      'Revoke the saved key at its hub and delete it here. If the hub does not revoke it, the key is kept, so that you ' +
      'can try again. --local only deletes it here.',
    examples: ['rapport logout', 'rapport logout --local'],
  })
    .option('--local', 'only delete the key here; it remains valid')
    .action(
      action(terminal, holder, async (context, { local = false }: { local?: boolean }) => {
        const { env, signal } = terminal;
        const saved = await readCredentials(env);
        if (!saved) throw CliError.notSignedIn('There is no saved key.', `It would be in ${credentialsFile(env)}.`);
        const { base_url, api_key: apiKey, key_id } = saved;
        const settings = { baseUrl: parseOrigin(base_url), baseUrlFrom: 'file', apiKey } as const;
        const hub = new ApiClient({ ...settings, ...(key_id !== null && { keyId: key_id }) }, signal);
        const revoked = local ? false : await revokeOwnKey(hub);
        await removeCredentials(env);
        const remaining = ['RAPPORT_API_KEY', 'RAPPORT_API_KEY_FILE'].find(name => env[name]);
        if (remaining) printNotice(terminal, `Note: ${remaining} is still set.`);
        context.print({ signed_out: true, revoked, base_url, key_id }, [describeLogout(local, revoked, base_url)]);
      }),
    );
};

function describeLogout(local: boolean, revoked: boolean, baseUrl: string): string {
  if (local) return `Deleted here. The key is still valid at ${baseUrl}.`;
  return revoked ? `Signed out of ${baseUrl}: the key is revoked.` : 'Signed out. The key was revoked already.';
}
