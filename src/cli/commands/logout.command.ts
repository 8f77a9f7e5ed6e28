import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { CliError } from '../base/exit.js';
import { printNotice } from '../base/terminal.js';
import { ApiClient } from '../api/api-client.js';
import { revokeOwnKey } from '../login/revoke.js';
import { credentialsFile, readCredentials, removeCredentials } from '../settings/credentials.js';
import { parseOrigin } from '../settings/settings.js';

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
