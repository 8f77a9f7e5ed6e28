import { createPasswordReset } from '#auth-server/users/password-resets.service.js';
import { readUsers } from '#auth-server/users/members.queries.js';
import { toIso } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type AddAdminCommands, printResult } from './admin-context.js';
import { formatFieldLines, formatTableLines } from '../cli/base/terminal.js';

/** Adds `admin user list | reset-password`. */
export const addUserCommands: AddAdminCommands = (admin, context) => {
  const { terminal } = context;
  const user = admin.command('user').description('list the people who can sign in, and reset their passwords');

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
    .description('print a token by which a person sets a new password, once and within a day')
    .argument('<email>', 'e-mail address of the person')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport admin user reset-password ada@acme.com')
    .action(async (email: string, { json }: { readonly json?: true }) => {
      const reset = await context.withDatabase(({ work }) => work.auth(tx => createPasswordReset(tx, email)));
      if (!reset) throw new HubError('not_found', { detail: 'Nobody with this address can sign in.' });
      const expires_at = toIso(reset.expiresAt);
      printResult(terminal, json, { token: reset.token, expires_at }, [
        ...formatFieldLines({ token: reset.token, expires: expires_at }),
        'Pass the token on to this person only. It sets the password by POST /auth/password/reset and ends all sessions.',
      ]);
    });
};
