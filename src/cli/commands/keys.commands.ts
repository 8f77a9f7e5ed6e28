import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { formatFieldLines, toPrintable, formatTableLines } from '../base/format.js';
import type { ApiKeyInfo } from '../api/identity.js';

interface CreateOptions {
  readonly name: string;
  readonly scopes: string;
  readonly expiresInDays?: number;
}

/** `keys list | create | revoke` */
export const addKeysCommands: RegisterCommands = (program, terminal, seat) => {
  const keys = program.command('keys').description('the API keys of the workspace; needs a key with the scope admin');

  defineCommand(keys, {
    name: 'list',
    summary: 'list the keys, newest first',
    examples: ['rapport keys list', `rapport keys list --json | jq '.api_keys[] | select(.revoked_at == null)'`],
  }).action(
    action(terminal, seat, async desk => {
      const answer = await (await desk.client()).call<{ api_keys: ApiKeyInfo[] }>('GET', '/v2/api-keys');
      const rows = answer.api_keys.map(key => [
        key.id,
        `${key.prefix}…${key.last_four}`,
        key.scopes.join(','),
        key.origin,
        describeKeyState(key),
        key.last_used_at ? `${key.last_used_at.slice(0, 16)} by ${key.last_used_client}` : 'never',
        toPrintable(key.name),
      ]);
      const headings = ['KEY', 'LOOKS LIKE', 'SCOPES', 'ORIGIN', 'STATE', 'LAST USED', 'NAME'];
      desk.print(answer, formatTableLines(headings, rows, 'There is no key.'));
    }),
  );

  defineCommand(keys, {
    name: 'create',
    summary: 'create a key; it is shown once',
    examples: ['rapport keys create --name "Nightly sync"', 'rapport keys create --name agent --expires-in-days 90'],
  })
    .requiredOption('--name <name>', 'what the key is for')
    .option('--scopes <scopes>', 'what it may do: read, write, admin', 'read,write')
    .option('--expires-in-days <days>', 'without it the key does not expire', parsePositiveInteger)
    .action(
      action(terminal, seat, async (desk, { name, scopes, expiresInDays }: CreateOptions) => {
        const body = {
          name,
          scopes: scopes.split(',').map(scope => scope.trim()),
          ...(expiresInDays !== undefined && { expires_in_days: expiresInDays }),
        };
        const hub = await desk.client();
        const made = await hub.call<ApiKeyInfo & { key?: string }>('POST', '/v2/api-keys', {
          body,
          idempotencyKey: randomUUID(),
        });
        const { key = null, id, expires_at } = made;
        const missing = 'not shown again: the first answer was lost. Revoke it and make another.';
        const shown = formatFieldLines({
          api_key: key ?? missing,
          key_id: id,
          scopes: made.scopes.join(','),
          expires: expires_at ?? 'never',
        });
        desk.print(made, [...shown, 'Keep the API key now: it is not shown again.']);
      }),
    );

  defineCommand(keys, {
    name: 'revoke',
    summary: 'end a key for good, everywhere within 5 seconds',
    examples: ['rapport keys revoke 01941f5e-9a10-7f21-8c44-6b2d0e5f7a90'],
  })
    .argument('<key>', 'id of the key, as keys list prints it')
    .action(
      action(terminal, seat, async (desk, id: string) => {
        const hub = await desk.client();
        const path = `/v2/api-keys/${encodeURIComponent(id)}`;
        const answer = await hub.call<{ id: string; revoked_at: string }>('DELETE', path);
        desk.print(answer, [`The key ${answer.id} is revoked since ${answer.revoked_at}.`]);
      }),
    );
};

function describeKeyState({ revoked_at, expires_at }: ApiKeyInfo): string {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'good';
  return Date.parse(expires_at) <= Date.now() ? 'expired' : `good until ${expires_at.slice(0, 10)}`;
}

function parsePositiveInteger(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number above 0.');
}
