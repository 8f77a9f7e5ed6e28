import { Option } from 'commander';
import { OPERATOR } from '#domain/actor/actor.js';
import { DAY_US, toIso } from '#domain/time/instant.js';
import { toApiKeyDto } from '#kernel/auth/api-key.entity.js';
import type { ApiKeyDto } from '#kernel/auth/api-keys.dto.js';
import { ApiKeysService, KEY_STATES, type ApiKeyState, MAX_LIVING_KEYS } from '#kernel/auth/api-keys.service.js';
import type { Scope } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import {
  type AddAdminCommands,
  type AdminContext,
  parseDaysArgument,
  parseNameArgument,
  parseScopesArgument,
  parseUuidArgument,
  requireWorkspace,
  printResult,
} from './admin-context.js';
import { formatFieldLines, formatTableLines } from '../cli/base/terminal.js';

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

interface CreateOptions {
  readonly name: string;
  readonly scopes: Scope[];
  readonly expiresInDays?: number;
  readonly json?: true;
}

/** Adds `admin key create | list | revoke`. */
export const addKeyCommands: AddAdminCommands = (admin, context) => {
  const { terminal } = context;
  const keys = new ApiKeysService();
  const key = admin.command('key').description('create, list and revoke API keys');

  key
    .command('create')
    .description('create an API key; only this command can grant the scope internal')
    .argument('<workspace>', 'ID of the workspace', parseUuidArgument)
    .requiredOption('--name <name>', 'what the key is for', parseNameArgument)
    .addOption(
      new Option('--scopes <scopes>', 'comma-separated: read, write, settings, admin, internal')
        .argParser(parseScopesArgument)
        .default(['read', 'write'], 'read,write'),
    )
    .option('--expires-in-days <days>', 'without it the key does not expire', parseDaysArgument)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExample:\n  rapport admin key create ${EXAMPLE_ID} --name "Nightly sync" --scopes read,write`,
    )
    .action(async (workspace: string, { name, scopes, expiresInDays, json }: CreateOptions) => {
      const { apiKey, key: text } = await runInWorkspace(context, workspace, async tx => {
        const expiresAt = expiresInDays === undefined ? undefined : (await tx.now()) + expiresInDays * DAY_US;
        return keys.create(tx, { name, scopes, expiresAt, origin: 'admin', createdBy: OPERATOR });
      });
      const row = toApiKeyDto(apiKey);
      const lines = formatFieldLines({
        api_key: text,
        key_id: row.id,
        scopes: scopes.join(','),
        expires: row.expires_at ?? 'never',
      });
      const data = { workspace_id: workspace, key_id: row.id, api_key: text, scopes, expires_at: row.expires_at };
      printResult(terminal, json, data, [...lines, 'Keep the API key now: it is not shown again.']);
    });

  key
    .command('list')
    .description('list the API keys of a workspace, newest first; the keys themselves are not stored')
    .argument('<workspace>', 'ID of the workspace', parseUuidArgument)
    .addOption(new Option('--state <state>', 'state of the keys').choices(KEY_STATES).default('active'))
    .option('--json', 'print JSON')
    .action(async (workspace: string, options: { state: ApiKeyState; json?: true }) => {
      const rows = await runInWorkspace(context, workspace, tx => listAllKeys(tx, keys, options.state));
      const cells = rows.map(row => [
        row.id,
        `${row.prefix}…${row.last_four}`,
        row.scopes.join(','),
        row.origin,
        `${row.created_by.kind} ${row.created_by.id}`,
        describeKeyState(row),
        row.last_used_at ? `${row.last_used_at} by ${row.last_used_client}` : 'never',
        row.name,
      ]);
      const headings = ['KEY', 'LOOKS LIKE', 'SCOPES', 'ORIGIN', 'CREATED BY', 'STATE', 'LAST USED', 'NAME'];
      printResult(
        terminal,
        options.json,
        { api_keys: rows },
        formatTableLines(headings, cells, `This workspace has no ${options.state} API key.`),
      );
    });

  key
    .command('revoke')
    .description('revoke an API key for good; running hubs reject it within 5 seconds')
    .argument('<workspace>', 'ID of the workspace', parseUuidArgument)
    .argument('<key>', 'ID of the key', parseUuidArgument)
    .option('--descendants', 'also revoke the keys that it created or approved, and those that they did')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  rapport admin key revoke ${EXAMPLE_ID} 01941f5e-9a10-7f21-8c44-6b2d0e5f7a90`)
    .action(async (workspace: string, id: string, options: { descendants?: true; json?: true }) => {
      const { revokedAt, descendants } = await runInWorkspace(context, workspace, tx =>
        keys.revoke(tx, id, { withDescendants: options.descendants }),
      );
      const revoked_at = toIso(revokedAt);
      printResult(terminal, options.json, { id, revoked: true, revoked_at, descendants }, [
        `The key ${id} is revoked since ${revoked_at}.`,
        ...descendants.map(each => `Its descendant ${each} is revoked as well.`),
      ]);
    });
};

async function listAllKeys(tx: Tx, keys: ApiKeysService, state: ApiKeyState): Promise<ApiKeyDto[]> {
  const rows: ApiKeyDto[] = [];
  let cursor: string | undefined;
  do {
    const page = await keys.list(tx, { state, limit: MAX_LIVING_KEYS, cursor });
    rows.push(...page.keys.map(toApiKeyDto));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

function runInWorkspace<T>(context: AdminContext, id: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return context.withDatabase(async database => {
    await requireWorkspace(database.work, id);
    return database.work.run(id, work);
  });
}

function describeKeyState(row: { revoked_at: string | null; expires_at: string | null }): string {
  if (row.revoked_at) return `revoked ${row.revoked_at}`;
  return row.expires_at ? `expires ${row.expires_at}` : 'good';
}
