import { buildSecretPageUrl } from '#auth-server/users/page-urls.js';
import { removeSecondFactor } from '#auth-server/second-factor/second-factor.service.js';
import { createPasswordReset } from '#auth-server/users/password-resets.service.js';
import { readUsers } from '#auth-server/users/members.queries.js';
import { toIso } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type AddAdminCommands, printResult } from './admin-context.js';
import { formatFieldLines, formatTableLines } from '../cli/base/terminal.js';

/** Adds `admin user list | reset-password | remove-second-factor`. */
export const addUserCommands: AddAdminCommands = (admin, context) => {
  const { terminal } = context;
  const user = admin.command('user').description('list the people who can sign in, and help those who cannot any more');

  user
    .command('list')
    .description('list the people who can sign in, with their workspaces and roles')
    .option('--json', 'print JSON')
    .action(async ({ json }: { readonly json?: true }) => {
      const users = await context.withDatabase(({ work }) => work.auth(readUsers));
      const rows = users.map(({ id, name, email, memberships }) => [
        id,
        email,
        memberships.map(({ workspace_id, role }) => `${role} of ${workspace_id}`).join(', ') || 'no workspace',
        name,
      ]);
      const lines = formatTableLines(['USER', 'E-MAIL', 'MEMBER', 'NAME'], rows, 'Nobody can sign in yet.');
      printResult(terminal, json, { users }, lines);
    });

  user
    .command('reset-password')
    .description('print an address at which a person sets a new password, once and within a day')
    .argument('<email>', 'e-mail address of the person')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport admin user reset-password ada@acme.com')
    .action(async (email: string, { json }: { readonly json?: true }) => {
      const { reset, publicUrl } = await context.withDatabase(async ({ work }, env) => ({
        reset: await work.auth(tx => createPasswordReset(tx, email)),
        publicUrl: env.publicUrl,
      }));
      if (!reset) throw new HubError('not_found', { detail: 'Nobody with this address can sign in.' });
      const expires_at = toIso(reset.expiresAt);
      const reset_url = buildSecretPageUrl(publicUrl, 'reset', reset.token);
      printResult(terminal, json, { token: reset.token, reset_url, expires_at }, [
        ...formatFieldLines({ reset_url, expires: expires_at }),
        'Pass the address on to this person only. It sets a new password and ends all sessions.',
      ]);
    });

  user
    .command('remove-second-factor')
    .description('remove the second factor of a person who has lost the authenticator app and the recovery codes')
    .argument('<email>', 'e-mail address of the person')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport admin user remove-second-factor ada@acme.com')
    .action(async (email: string, { json }: { readonly json?: true }) => {
      const isRemoved = await context.withDatabase(({ work }) => work.auth(tx => removeSecondFactor(tx, email)));
      if (!isRemoved) throw new HubError('not_found', { detail: 'Nobody with this address has a second factor.' });
      printResult(terminal, json, { email: email.toLowerCase(), removed: true }, [
        'Removed. Signing in needs the password only, until the person sets up another second factor.',
      ]);
    });
};
