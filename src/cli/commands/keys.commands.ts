import { randomUUID } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';
import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { formatFieldLines, toPrintable, formatTableLines } from '../base/terminal.js';
import type { ApiClient } from '../api/api-client.js';
import type { ApiKeyInfo } from '../api/identity.js';

const KEY_STATES = ['active', 'expired', 'revoked'];

interface KeyPage {
  readonly api_keys: readonly ApiKeyInfo[];
  readonly next_cursor: string | null;
}

interface RevokedKey {
  readonly id: string;
  readonly revoked_at: string;
  readonly descendants: readonly string[];
}

interface RotatedKey extends ApiKeyInfo {
  readonly key?: string;
  readonly previous: { readonly id: string; readonly works_until: string };
}

interface CreateOptions {
  readonly name: string;
  readonly scopes: string;
  readonly expiresInDays?: number;
}

/** `keys list | create | revoke` */
export const addKeysCommands: RegisterCommands = (program, terminal, holder) => {
  const keys = program
    .command('keys')
    .description('manage the API keys of the workspace; requires a key with the scope settings');

  defineCommand(keys, {
    name: 'list',
    summary: 'list the keys, newest first',
    examples: ['rapport keys list', 'rapport keys list --state revoked --json'],
  })
    .addOption(new Option('--state <state>', 'state of the keys').choices(KEY_STATES).default('active'))
    .action(
      action(terminal, holder, async (context, { state }: { readonly state: string }) => {
        const keys = await listAllKeys(await context.client(), state);
        const rows = keys.map(key => [
          key.id,
          `${key.prefix}…${key.last_four}`,
          key.scopes.join(','),
          key.origin,
          `${key.created_by.kind} ${key.created_by.id}`,
          describeKeyState(key),
          key.last_used_at ? `${key.last_used_at.slice(0, 16)} by ${key.last_used_client}` : 'never',
          toPrintable(key.name),
        ]);
        const headings = ['KEY', 'LOOKS LIKE', 'SCOPES', 'ORIGIN', 'CREATED BY', 'STATE', 'LAST USED', 'NAME'];
        context.print({ api_keys: keys }, formatTableLines(headings, rows, `There is no ${state} key.`));
      }),
    );

  defineCommand(keys, {
    name: 'create',
    summary: 'create a key; it is shown once',
    examples: ['rapport keys create --name "Nightly sync"', 'rapport keys create --name agent --expires-in-days 90'],
  })
    .requiredOption('--name <name>', 'name that describes the purpose of the key')
    .option('--scopes <scopes>', 'scopes of the key: read, write, settings, admin', 'read,write')
    .option('--expires-in-days <days>', 'days until the key expires; default: with your own key', parsePositiveInteger)
    .action(
      action(terminal, holder, async (context, { name, scopes, expiresInDays }: CreateOptions) => {
        const body = {
          name,
          scopes: scopes.split(',').map(scope => scope.trim()),
          ...(expiresInDays !== undefined && { expires_in_days: expiresInDays }),
        };
        const hub = await context.client();
        const made = await hub.call<ApiKeyInfo & { key?: string }>('POST', '/v2/api-keys', {
          body,
          idempotencyKey: randomUUID(),
        });
        const { key = null, id, expires_at } = made;
        const missing = 'not shown again, because the first response was lost. Revoke the key and create another.';
        const shown = formatFieldLines({
          api_key: key ?? missing,
          key_id: id,
          scopes: made.scopes.join(','),
          expires: expires_at ?? 'never',
        });
        context.print(made, [...shown, 'Store the API key now: it is not shown again.']);
      }),
    );

  defineCommand(keys, {
    name: 'rotate',
    summary: 'replace a key by a new one; the old one works for some hours more',
    examples: [
      'rapport keys rotate 01941f5e-9a10-7f21-8c44-6b2d0e5f7a90',
      'rapport keys rotate 01941f5e-9a10-7f21-8c44-6b2d0e5f7a90 --grace-hours 0',
    ],
  })
    .argument('<key>', 'ID of the key, as printed by keys list')
    .option('--grace-hours <hours>', 'hours for which the old key works; 0 revokes it at once', parseHours, 24)
    .action(
      action(terminal, holder, async (context, id: string, { graceHours }: { readonly graceHours: number }) => {
        const hub = await context.client();
        const made = await hub.call<RotatedKey>('POST', `/v2/api-keys/${encodeURIComponent(id)}/rotate`, {
          body: { grace_hours: graceHours },
          idempotencyKey: randomUUID(),
        });
        const { key = null, id: newId, previous } = made;
        const missing = 'not shown again, because the first response was lost. Rotate the new key.';
        const shown = formatFieldLines({ api_key: key ?? missing, key_id: newId, scopes: made.scopes.join(',') });
        const end = `The key ${previous.id} works until ${previous.works_until}.`;
        context.print(made, [...shown, end, 'Store the API key now: it is not shown again.']);
      }),
    );

  defineCommand(keys, {
    name: 'revoke',
    summary: 'revoke a key permanently; takes effect within 5 seconds',
    examples: [
      'rapport keys revoke 01941f5e-9a10-7f21-8c44-6b2d0e5f7a90',
      'rapport keys revoke 01941f5e-9a10-7f21-8c44-6b2d0e5f7a90 --descendants',
    ],
  })
    .argument('<key>', 'ID of the key, as printed by keys list')
    .option('--descendants', 'also revoke the keys that it created or approved, and those that they did')
    .action(
      action(terminal, holder, async (context, id: string, { descendants }: { readonly descendants?: true }) => {
        const hub = await context.client();
        const path = `/v2/api-keys/${encodeURIComponent(id)}${descendants ? '?descendants=true' : ''}`;
        const answer = await hub.call<RevokedKey>('DELETE', path);
        const others = answer.descendants.map(each => `Its descendant ${each} was revoked as well.`);
        context.print(answer, [`The key ${answer.id} was revoked at ${answer.revoked_at}.`, ...others]);
      }),
    );
};

async function listAllKeys(hub: ApiClient, state: string): Promise<ApiKeyInfo[]> {
  const keys: ApiKeyInfo[] = [];
  let cursor: string | null = null;
  do {
    const path = `/v2/api-keys?state=${state}&limit=200${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: KeyPage = await hub.call<KeyPage>('GET', path);
    keys.push(...page.api_keys);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return keys;
}

function describeKeyState({ revoked_at, expires_at }: ApiKeyInfo): string {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'good';
  return Date.parse(expires_at) <= Date.now() ? 'expired' : `good until ${expires_at.slice(0, 10)}`;
}

function parseHours(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of hours, from 0 to 168.');
}

function parsePositiveInteger(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number above 0.');
}
