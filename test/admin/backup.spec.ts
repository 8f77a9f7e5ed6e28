import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { ChangesResponse } from '#graph/changes/changes.presenter.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import { startHub } from '../../src/hub.js';
import { type FreshDatabase, freshDatabase } from '../support/database/database.js';
import { settleCommits } from '../support/database/commit-order.js';
import { readAllRows } from '../support/database/all-rows.js';
import { event, record, state } from '../support/graph/graph-calls.js';
import { type Client, clientOf, startTestHub, TEST_KEYS, testEnv, type TestHub } from '../support/hub.js';
import { rapportHere } from '../support/process/rapport-command.js';

const PLUGINS_DIR = fileURLToPath(new URL('../fixtures/plugins/tenants', import.meta.url));
/** Text that COPY has to escape, in its rows and in JSON. */
const AWKWARD = 'tab\t, line\nbreak\r\n, back\\slash, \\., \\N, "quote", Grüße 😀';

interface Account {
  readonly claims: object;
  readonly recent_observations: readonly object[];
  readonly notes: readonly object[];
}

let hub: TestHub;
let acme: Client;
let folder: string;
let file: string;
let target: FreshDatabase;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rapport-backup-'));
  file = path.join(folder, 'hub.backup');
  hub = await startTestHub({ PLUGINS_DIR });
  await hub.database.pool.query(`INSERT INTO plugin_schedules VALUES ('diary', 'tick', 1e15)`);
  acme = await hub.workspace();
  const other = await hub.workspace('starter');
  await record(acme, 'ada@acme.com', [state('title', AWKWARD), event('call_held', { raw: { text: AWKWARD } })]);
  await record(other, 'bob@other.com', [state('title', 'CTO')]);
  const leads = [{ email: 'ada@acme.com' }, { email: 'eve@acme.com' }];
  const made = await Promise.all([
    acme.post('/v2/notes', { focus: 'ada@acme.com', type: 'note', title: AWKWARD, content: AWKWARD.repeat(20) }),
    acme.post('/v2/lead-lists/attach', { name: 'List', rows: leads }, { 'idempotency-key': 'attach' }),
    acme.post('/v2/workspace/facts', { section: 'pricing', content: { text: AWKWARD } }),
    acme.post('/v2/workspace/integrations', { provider: 'diary', credentials: { token: 'a-token' } }),
  ]);
  expect(made.map(({ status }) => status).filter(status => status >= 300)).toEqual([]);
  await hub.database.pool.query(
    `INSERT INTO rapport_auth.users (id, name, email, created_at, updated_at)
     VALUES (gen_random_uuid(), 'Ada', 'ada@acme.com', now(), now())`,
  );
});
beforeEach(async () => {
  target = await freshDatabase();
});
afterEach(() => target.drop());
afterAll(async () => {
  await hub?.end();
  await rm(folder, { recursive: true, force: true });
});

const backup = (to: string, ...words: string[]) =>
  rapportHere(['admin', 'backup', to, ...words], { DATABASE_URL: hub.database.url, SECRET_KEYS: TEST_KEYS });
const restore = (url: string, from = file, keys = TEST_KEYS) =>
  rapportHere(['admin', 'restore', from, '--json'], { DATABASE_URL: url, SECRET_KEYS: keys });

/** Waits until no background work of the hub changes a row any more, and backs it up. */
async function backUpAtRest(): Promise<Record<string, string[]>> {
  for (;;) {
    await rm(file, { force: true });
    const before = await readAllRows(hub.database.url);
    expect(await backup(file)).toMatchObject({ code: 0 });
    const after = await readAllRows(hub.database.url);
    if (JSON.stringify(before) === JSON.stringify(after)) return after;
  }
}

it('restores every row of every table, and the hub answers as before', async () => {
  const rows = await backUpAtRest();
  for (const table of [
    'observation_log',
    'claims',
    'note_log',
    'leads',
    'workspace_facts',
    'connections',
    'api_keys',
    'rapport_auth.users',
  ]) {
    expect([table, rows[table]!.length]).not.toEqual([table, 0]);
  }
  const { code, out } = await restore(target.url);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ secret_keys: ['test'], missing_secret_keys: [], applied: [] });
  expect(await readAllRows(target.url)).toEqual(rows);

  const restored = await startHub(testEnv(target.url, { PLUGINS_DIR }), createLogger('silent'));
  const copy = clientOf(restored.url, acme.key);
  await settleCommits(hub);
  const { body: end } = await acme.get<ChangesResponse>('/v2/changes?limit=1000');
  expect((await copy.get<ChangesResponse>(`/v2/changes?after=${end.next_cursor}`)).body.changes).not.toEqual([]);
  const read = '/v2/accounts/ada@acme.com';
  const answers = await Promise.all([acme, copy].map(client => client.get<Account>(read)));
  await restored.close();
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const [was, is] = answers.map(({ body }) => [body.claims, body.recent_observations, body.notes]);
  expect(is).toEqual(was);
  expect(JSON.stringify(is)).toContain('Grüße');
  expect(await restore(target.url)).toMatchObject({ code: 1, err: expect.stringContaining('workspaces already') });
});

it('restores into the database of an owner who is no superuser, with row-level security forced again', async () => {
  const rows = await backUpAtRest();
  const owner = `owner_${randomBytes(6).toString('hex')}`;
  const superuser = new pg.Client(target.url);
  await superuser.connect();
  await superuser.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'secret'`);
  await superuser.query(`GRANT rapport_app, rapport_system, rapport_eraser, rapport_auth, rapport_backup TO ${owner}`);
  const url = new URL(target.url);
  await superuser.query(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${owner}`);
  [url.username, url.password] = [owner, 'secret'];
  try {
    expect(await restore(url.href)).toMatchObject({ code: 0 });
    expect(await readAllRows(target.url)).toEqual(rows);
    const open = `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relrowsecurity
      AND NOT relforcerowsecurity`;
    expect((await superuser.query(open)).rows).toEqual([]);
  } finally {
    await superuser.query(`REASSIGN OWNED BY ${owner} TO CURRENT_USER`);
    await superuser.query(`DROP OWNED BY ${owner}`);
    await superuser.query(`DROP ROLE ${owner}`);
    await superuser.end();
  }
});

it('is one private file, which is never replaced, and has its keys in another', async () => {
  const [own, keys] = [path.join(folder, 'own.backup'), path.join(folder, 'own.keys')];
  const { code, out } = await backup(own, '--keys', keys);
  expect([code, out]).toEqual([0, expect.stringContaining('keep them apart')]);
  expect((await stat(own)).mode & 0o777).toBe(0o600);
  expect((await stat(keys)).mode & 0o777).toBe(0o600);
  expect((await readFile(keys, 'utf8')).trim()).toBe(TEST_KEYS);
  expect(await backup(own)).toMatchObject({ code: 1, err: expect.stringContaining('exists already') });
});

it('names the keys that a restored hub lacks', async () => {
  await backUpAtRest();
  const other = `other:${Buffer.alloc(32, 3).toString('base64')}`;
  const { code, out } = await restore(target.url, file, other);
  expect([code, JSON.parse(out).missing_secret_keys]).toEqual([0, ['test']]);
});

it('a cut or foreign file is refused, and leaves the database empty', async () => {
  await backUpAtRest();
  const cut = path.join(folder, 'cut.backup');
  await writeFile(cut, await readFile(file));
  await truncate(cut, Math.floor((await stat(cut)).size * 0.6));
  expect(await restore(target.url, cut)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/cannot be read|too early/),
  });
  const foreign = path.join(folder, 'foreign.backup');
  await writeFile(foreign, 'PGDMP');
  expect(await restore(target.url, foreign)).toMatchObject({
    code: 1,
    err: expect.stringContaining('The backup cannot be read'),
  });
  expect(await restore(target.url)).toMatchObject({ code: 0 });
});
