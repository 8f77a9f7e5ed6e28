import { ApiKeyLookup, ApiKeyCache } from '#kernel/auth/api-key.lookup.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import { databaseSchema } from '../../src/database-schema.js';
import { type FreshDatabase, freshDatabase } from '../support/database/database.js';
import { testEnv } from '../support/hub.js';
import { rapport, rapportHere } from '../support/process/rapport-command.js';

const unknown = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const settings = () => ({ DATABASE_URL: fresh.url });
const admin = (...words: string[]) => rapportHere(['admin', ...words], settings());

/** Every answer has some of these. */
interface Said {
  readonly [field: string]: unknown;
  readonly workspace_id: string;
  readonly api_key: string;
  readonly key_id: string;
  readonly applied: readonly string[];
}

async function json(...words: string[]): Promise<Said> {
  const { code, out, err } = await admin(...words, '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Said;
}

/** What a hub makes of a key, asked anew each time. */
async function callerOf(key: string) {
  const database: Database = await openDatabase(testEnv(fresh.url), databaseSchema, {
    info: () => undefined,
    error: () => undefined,
  });
  return new ApiKeyCache(new ApiKeyLookup(database.work)).resolve(key).finally(() => database.close());
}

it('migrates an empty database, once', async () => {
  const first = await admin('migrate', '--json');
  expect([first.code, first.err]).toEqual([0, 'deferred: sources of claims\n']);
  expect(JSON.parse(first.out)).toMatchObject({
    applied: expect.arrayContaining(['0001-baseline-01-directory', '0004-claim-sources']),
    deferred: ['sources of claims'],
  });
  expect(await json('migrate')).toEqual({ applied: [], deferred: [] });
  expect(await rapport(['admin', 'migrate'], settings())).toEqual({
    code: 0,
    out: 'The database is up to date.\n',
    err: '',
  });
});

it('creates a workspace for people to read and for programs', async () => {
  const output = await admin('workspace', 'create', '--name', 'Acme', '--plan', 'starter');
  const [, workspace_id, api_key] = /^workspace_id +(\S+)[^]*^api_key +(\S+)$/m.exec(output.out) ?? [];
  expect(output.code).toBe(0);
  expect(await callerOf(api_key!)).toMatchObject({
    workspaceId: workspace_id,
    plan: 'starter',
    scopes: ['read', 'write', 'admin', 'settings'],
  });
  const made = await json('workspace', 'create', '--name', 'Beta', '--plan', 'scale');
  expect(made).toMatchObject({
    workspace_id: expect.any(String),
    name: 'Beta',
    plan: 'scale',
    api_key: expect.any(String),
  });
  const { workspaces } = await json('workspace', 'list');
  expect(workspaces).toMatchObject([{ workspace_id, name: 'Acme', plan: 'starter' }, { name: 'Beta' }]);
  expect((await admin('workspace', 'list')).out).toMatch(/^WORKSPACE .*\n.* Acme\n.* Beta\n$/);
});

it('gives a workspace another plan', async () => {
  const { workspace_id, api_key } = await json('workspace', 'create', '--name', 'Grows', '--plan', 'starter');
  const message = await admin('workspace', 'set-plan', workspace_id.toUpperCase(), 'growth');
  expect(message).toEqual({ code: 0, out: `Grows (${workspace_id}) has the plan growth now.\n`, err: '' });
  expect(await callerOf(api_key)).toMatchObject({ plan: 'growth' });
});

it('creates, lists and revokes keys', async () => {
  const { workspace_id } = await json('workspace', 'create', '--name', 'Keys', '--plan', 'scale');
  const create = ['key', 'create', workspace_id, '--name', 'Operator', '--scopes', 'read,internal'];
  const made = await json(...create, '--expires-in-days', '7');
  expect(made).toMatchObject({ workspace_id, scopes: ['read', 'internal'], expires_at: expect.any(String) });
  expect(await callerOf(made.api_key)).toMatchObject({
    actor: { kind: 'key', id: made.key_id },
    scopes: ['read', 'internal'],
  });
  const { api_keys } = await json('key', 'list', workspace_id);
  expect(api_keys).toMatchObject([{ id: made.key_id, name: 'Operator', origin: 'admin' }, { name: 'first key' }]);
  expect((await admin('key', 'list', workspace_id)).out).toContain(`rap_live_${made.api_key.slice(9, 13)}…`);
  const revoked = await json('key', 'revoke', workspace_id, made.key_id);
  expect(await json('key', 'revoke', workspace_id, made.key_id)).toEqual(revoked);
  expect(await callerOf(made.api_key)).toBeUndefined();
  expect((await admin('key', 'list', workspace_id, '--state', 'revoked')).out).toContain('revoked 20');
});

it('prints the setup address of a workspace until it has a member', async () => {
  const { workspace_id, setup_url } = await json('workspace', 'create', '--name', 'Setup', '--plan', 'scale');
  expect(setup_url).toMatch(/^http:\/\/localhost:3000\/setup\/[\w-]{43}$/);
  const again = await json('workspace', 'setup-address', workspace_id);
  expect(again).toEqual({ setup_url: expect.stringMatching(/\/setup\/[\w-]{43}$/), expires_at: expect.any(String) });
  expect(again.setup_url).not.toBe(setup_url);
  expect((await admin('workspace', 'setup-address', unknown)).err).toBe(`There is no workspace ${unknown}.\n`);
  const sql = "INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'member')";
  const database = await openDatabase(testEnv(fresh.url), databaseSchema, {
    info: () => undefined,
    error: () => undefined,
  });
  await database.work.auth(tx => tx.query(sql, [workspace_id, unknown]), workspace_id).finally(() => database.close());
  const refused = await admin('workspace', 'setup-address', workspace_id);
  expect(refused).toEqual({ code: 1, out: '', err: expect.stringContaining('has members') });
});

it('says in a sentence what it cannot do, with exit code 1', async () => {
  const { workspace_id } = await json('workspace', 'create', '--name', 'Fails', '--plan', 'scale');
  const nowhere = { code: 1, out: '', err: `There is no workspace ${unknown}.\n` };
  expect(await admin('workspace', 'set-plan', unknown, 'scale')).toEqual(nowhere);
  expect(await admin('key', 'list', unknown)).toEqual(nowhere);
  expect(await admin('key', 'create', unknown, '--name', 'n')).toEqual(nowhere);
  const noKey = await admin('key', 'revoke', workspace_id, unknown);
  expect(noKey).toEqual({ code: 1, out: '', err: 'This workspace has no API key with this id.\n' });
});

it('says which setting is wrong and whether the database can be reached, without its password', async () => {
  const bad = await rapportHere(['admin', 'migrate'], { DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' });
  expect(bad).toMatchObject({ code: 1, out: '' });
  expect(bad.err).toMatch(/DATABASE_URL: must start with postgres:\/\/\nLOG_LEVEL: /);
  const away = await rapportHere(['admin', 'migrate'], { DATABASE_URL: 'postgres://u:hunter2@localhost:1/x' });
  expect(away).toMatchObject({ code: 1, out: '', err: expect.stringContaining('The database cannot be reached') });
  expect(away.err).not.toContain('hunter2');
});
