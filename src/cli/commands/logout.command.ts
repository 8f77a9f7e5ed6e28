import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { CliError } from '../base/exit.js';
import { printNotice } from '../base/terminal.js';
import { ApiClient } from '../api/api-client.js';
import { revokeOwnKey } from '../login/revoke.js';
import { credentialsFile, readCredentials, removeCredentials } from '../settings/credentials.js';
import { parseOrigin } from '../settings/settings.js';

/** `logout` */
export const addLogoutCommand: RegisterCommands = (program, terminal, seat) => {
  defineCommand(program, {
    name: 'logout',
    summary: 'revoke the saved key at the hub and forget it',
    description:
      'Revoke the saved key at its hub, and remove it here. When the hub does not revoke it, the key stays, so that you ' +
      'can try again; --local removes it here alone.',
    examples: ['rapport logout', 'rapport logout --local'],
  })
    .option('--local', 'only forget the key here; it goes on working')
    .action(
      action(terminal, seat, async (desk, { local = false }: { local?: boolean }) => {
        const { env, signal } = terminal;
        const saved = await readCredentials(env);
        if (!saved) throw CliError.notSignedIn('There is no saved key.', `It would be in ${credentialsFile(env)}.`);
        const { base_url, api_key: apiKey, key_id } = saved;
        const settings = { baseUrl: parseOrigin(base_url), baseUrlFrom: 'file', apiKey } as const;
        const hub = new ApiClient({ ...settings, ...(key_id !== null && { keyId: key_id }) }, signal);
        const revoked = local ? false : await revokeOwnKey(hub);
        await removeCredentials(env);
        if (env['RAPPORT_API_KEY']) printNotice(terminal, 'Mind that RAPPORT_API_KEY is still set.');
        desk.print({ signed_out: true, revoked, base_url, key_id }, [describeLogout(local, revoked, base_url)]);
      }),
    );
};

function describeLogout(local: boolean, revoked: boolean, baseUrl: string): string {
  if (local) return `Forgotten here. The key still works at ${baseUrl}.`;
  return revoked ? `Signed out of ${baseUrl}: the key is revoked.` : 'Signed out. The key was revoked already.';
}
