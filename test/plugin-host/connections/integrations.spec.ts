import { AGENTS } from '../../fixtures/mcp/agents.js';
import { type AcmeProvider, serveAcme, startAcme } from '../../support/plugins/acme-plugin.js';
import { serveCrm } from '../../support/plugins/crm-plugin.js';
import type { ErrorBody } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { crmSyncCases } from '../../graph/crm-sync/crm-sync.cases.js';

interface Listed {
  readonly integrations: readonly {
    readonly provider: string;
    readonly state: string;
    readonly verified: boolean;
    readonly connection: { readonly id: string; readonly name: string; readonly webhook_active: boolean } | null;
  }[];
}

const PATH = '/v2/workspace/integrations';
let hub: TestHub;
let acme: AcmeProvider;

beforeAll(async () => {
  hub = await startTestHub({ EGRESS_ALLOWLIST: '127.0.0.1' });
  acme = await startAcme();
  await serveAcme(hub);
  await serveCrm(hub);
});
afterAll(async () => {
  await hub?.end();
  await acme?.close();
});
beforeEach(() => {
  acme.down = undefined;
  acme.webhooks.clear();
  acme.seen.splice(0);
});

const input = (more: object = {}) => ({
  provider: 'acme',
  credentials: { api_key: 'good-key-of-acme-1' },
  settings: { api_url: acme.url },
  ...more,
});
const connect = (client: Client, more: object = {}, headers = {}) =>
  client.post<Record<string, unknown> & ErrorBody>(PATH, input(more), headers);
const listed = async (client: Client, provider = 'acme') =>
  (await client.get<Listed>(PATH)).body.integrations.find(each => each.provider === provider);
const rows = async (table: string, workspaceId: string) =>
  (await hub.database.pool.query(`SELECT * FROM ${table} WHERE workspace_id = $1`, [workspaceId])).rows;
const events = async (client: Client) =>
  (await rows('outbox', client.workspaceId)).flatMap(({ events }: { events: { type: string }[] }) => events);

describe('GET /v2/workspace/integrations/:plugin', () => {
  it('returns the integration as the list does, with its newest runs', async () => {
    const client = await hub.workspace('growth');
    expect((await client.get(`${PATH}/acme`)).body).toEqual({ ...(await listed(client)), runs: [] });
    await connect(client);
    expect((await client.get(`${PATH}/acme`)).body).toEqual({ ...(await listed(client)), runs: [] });
  });

  it('refuses a provider that does not exist, with those that do', async () => {
    const client = await hub.workspace();
    const { status, body } = await client.get<ErrorBody & { supported: string[] }>(`${PATH}/nobody`);
    expect([status, body.error]).toEqual([404, 'unknown_provider']);
    expect(body.supported).toContain('acme');
  });
});

describe('POST /v2/workspace/integrations/:plugin/options', () => {
  const list = (client: Client, body: object) =>
    client.post<Record<string, unknown> & ErrorBody>(`${PATH}/acme/options`, body);
  const queues = [
    { value: 'q1', label: 'Sales', description: '3 agents' },
    { value: 'q2', label: 'Support' },
  ];

  it('lists what the provider has, with the saved credentials', async () => {
    const client = await hub.workspace();
    expect(await list(client, { field: 'queue' })).toMatchObject({ status: 409, body: { error: 'not_connected' } });
    await connect(client);
    expect(await list(client, { field: 'queue' })).toMatchObject({
      status: 200,
      body: { options: queues, has_more: false },
    });
    expect((await list(client, { field: 'queue', query: 'supp' })).body['options']).toEqual([queues[1]]);
  });

  it('lists them before there is a connection, with credentials that are not saved', async () => {
    const client = await hub.workspace();
    const { credentials, settings } = input() as { credentials: object; settings: object };
    const body = { field: 'queue', credentials, settings };
    expect((await list(client, body)).body['options']).toEqual(queues);
    expect(await rows('connections', client.workspaceId)).toEqual([]);
    const bad = await list(client, { ...body, credentials: { api_key: 'bad-key-of-acme-1' } });
    expect(bad).toMatchObject({ status: 400, body: { error: 'provider_refused' } });
    expect(JSON.stringify(bad.body)).not.toContain('bad-key');
  });

  it('returns at most 200, and says that there are more', async () => {
    const client = await hub.workspace();
    await connect(client);
    const { body } = await list(client, { field: 'queue', query: 'many' });
    expect([(body['options'] as object[]).length, body['has_more']]).toEqual([200, true]);
  });

  it.each([
    ['a setting without options', { field: 'sync_days' }, 400, 'field must be one of queue'],
    ['no setting', {}, 400, 'field'],
    ['a list that the plugin got wrong', { field: 'queue', query: 'odd' }, 502, 'no list of options'],
  ])('explains what is wrong with %s', async (_, body, status, message) => {
    const client = await hub.workspace();
    await connect(client);
    const response = await list(client, body);
    expect(response.status).toBe(status);
    expect(JSON.stringify(response.body)).toContain(message);
  });

  it('says that the provider is away', async () => {
    const client = await hub.workspace();
    await connect(client);
    acme.down = 500;
    expect(await list(client, { field: 'queue' })).toMatchObject({
      status: 502,
      body: { error: 'provider_unreachable' },
    });
  });
});

test('a provider is connected: tested, subscribed, sealed and announced', async () => {
  const client = await hub.workspace();
  expect(await listed(client)).toMatchObject({ state: 'available', verified: false, connection: null });

  const { status, body } = await connect(client, { name: 'Dialer of sales' });

  expect({ status, body }).toMatchObject({
    status: 201,
    body: {
      ok: true,
      connection: { name: 'Dialer of sales', provider: 'acme', is_verified: true },
      webhook_registered: true,
      message: 'Acme Dialer is connected. It reports to us from now on.',
    },
  });
  expect(acme.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /me', 'POST /webhooks']);
  const [{ url, secret }] = [...acme.webhooks.values()] as [{ url: string; secret: string }];
  expect(url).toMatch(/^http:\/\/localhost:\d+\/hooks\/[\w-]{54}\/calls$/);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(await listed(client)).toMatchObject({
    state: 'connected',
    verified: true,
    connection: { name: 'Dialer of sales', webhook_active: true, last_error: null, settings: { api_url: acme.url } },
  });
});

describe('PATCH /v2/workspace/integrations/:plugin', () => {
  it('changes settings and name with the saved credentials', async () => {
    const client = await hub.workspace();
    await connect(client, { name: 'Dialer' });
    acme.seen.splice(0);
    const moved = `${acme.url}/.`;
    const { status, body } = await client.patch<object>(`${PATH}/acme`, { settings: { api_url: moved } });
    expect({ status, body }).toMatchObject({ status: 200, body: { ok: true, connection: { name: 'Dialer' } } });
    expect(acme.seen.map(({ method }) => method)).toContain('GET');
    expect(await listed(client)).toMatchObject({ state: 'connected', connection: { settings: { api_url: moved } } });
    await client.patch(`${PATH}/acme`, { name: 'Renamed' });
    expect(await listed(client)).toMatchObject({ connection: { name: 'Renamed', settings: { api_url: moved } } });
    const audit = await client.get<{ events: object[] }>('/v2/workspace/audit?limit=1');
    expect(audit.body.events).toMatchObject([{ action: 'integration.change' }]);
  });

  it('changes nothing if a setting is wrong or the provider refuses', async () => {
    const client = await hub.workspace();
    await connect(client);
    const wrong = await client.patch<ErrorBody>(`${PATH}/acme`, { settings: { y: 1 } });
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: [{ field: 'settings.y' }] },
    });
    const away = await client.patch<ErrorBody>(`${PATH}/acme`, { settings: { api_url: 'http://127.0.0.1:1' } });
    expect(away).toMatchObject({ status: 502, body: { error: 'provider_unreachable' } });
    expect(await listed(client)).toMatchObject({ state: 'connected', connection: { settings: { api_url: acme.url } } });
  });

  it('returns 409 without a connection, and 404 for an unknown provider', async () => {
    const client = await hub.workspace();
    expect(await client.patch(`${PATH}/acme`, { settings: {} })).toMatchObject({
      status: 409,
      body: { error: 'not_connected' },
    });
    expect(await client.patch(`${PATH}/nobody`, {})).toMatchObject({
      status: 404,
      body: { error: 'unknown_provider' },
    });
  });
});

test('no secret stands in an answer or in the database', async () => {
  const client = await hub.workspace();
  const { body } = await connect(client);
  const [{ url, secret }] = [...acme.webhooks.values()] as [{ url: string; secret: string }];
  const token = url.split('/')[4]!;
  const keptNames = ['connections', 'plugin_store', 'outbox', 'idempotency_keys', 'inbound_events'];
  const dump = (await Promise.all(keptNames.map(table => rows(table, client.workspaceId)))).flat();
  const texts = [JSON.stringify(body), JSON.stringify((await client.get(PATH)).body), JSON.stringify(dump)];
  expect(dump.length).toBeGreaterThanOrEqual(2);
  for (const text of texts)
    for (const hidden of ['good-key-of-acme-1', secret, token, Buffer.from('good-key-of-acme-1').toString('base64')])
      expect(text).not.toContain(hidden);
});

test.each([
  ['nothing', {}, 400, 'provider_and_credentials_required'],
  ['no credentials', { provider: 'acme' }, 400, 'provider_and_credentials_required'],
  ['an unknown provider', { provider: 'nobody', credentials: {} }, 404, 'unknown_provider'],
  ['a plugin that failed', { provider: 'broken', credentials: {} }, 409, 'plugin_not_ready'],
  ['a short key', { provider: 'acme', credentials: { api_key: 'abc' } }, 400, 'invalid_credentials'],
  ['a missing key', { provider: 'acme', credentials: {} }, 400, 'invalid_credentials'],
  [
    'a secret of 15 bytes that verifies webhooks',
    { provider: 'acme', credentials: { api_key: 'good-key-of-acm' } },
    400,
    'invalid_credentials',
  ],
  [
    'another field',
    { provider: 'acme', credentials: { api_key: 'good-key-of-acme', x: 1 } },
    400,
    'invalid_credentials',
  ],
  [
    'bad settings',
    { provider: 'acme', credentials: { api_key: 'good-key-of-acme' }, settings: { y: 1 } },
    400,
    'invalid_request',
  ],
  ['a strange field', { provider: 'acme', credentials: { api_key: 'good-key-of-acme' }, z: 1 }, 400, 'invalid_request'],
  ['a text as credentials', { provider: 'acme', credentials: 'good-key-of-acme' }, 400, 'invalid_request'],
])('%s is refused', async (_, body, status, error) => {
  const client = await hub.workspace();
  const answer = await client.post<ErrorBody>(PATH, body);
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error });
  expect(JSON.stringify({ ...answer.body, request_id: '' })).not.toMatch(/good-key|abc/);
  expect(acme.seen).toEqual([]);
  expect(await rows('connections', client.workspaceId)).toEqual([]);
});

test.each([
  ['bad-key-of-acme-xyz', 400, 'invalid_credentials', 'Acme does not know the key [hidden].'],
  ['weak-key-of-acme', 400, 'invalid_credentials', 'The key may not read calls.'],
  [
    'key-pasted-as-…',
    400,
    'invalid_credentials',
    'The value of the header "authorization" has a character that headers cannot carry. Check whether it was pasted by mistake.',
  ],
])('the key %s is not accepted, and nothing is saved', async (api_key, status, error, detail) => {
  const client = await hub.workspace();
  const answer = await connect(client, { credentials: { api_key } });
  expect(answer).toMatchObject({ status, body: { error, detail } });
  expect(JSON.stringify(answer.body)).not.toContain(api_key);
  expect(await rows('connections', client.workspaceId)).toEqual([]);
});

test('an unreachable provider, or one without a public address, is named in the error; nothing is saved', async () => {
  const client = await hub.workspace();
  acme.down = 503;
  expect(await connect(client)).toMatchObject({ status: 502, body: { error: 'provider_unreachable' } });
  const inside = await connect(client, { settings: { api_url: 'https://169.254.169.254' } });
  expect(inside).toMatchObject({ status: 502, body: { error: 'provider_unreachable' } });
  expect(await rows('connections', client.workspaceId)).toEqual([]);
  expect(await rows('plugin_store', client.workspaceId)).toEqual([]);
});

test('connecting again changes the credentials and keeps address and subscription', async () => {
  const client = await hub.workspace();
  await connect(client);
  const before = (await listed(client))!.connection!;
  const again = await connect(client, { credentials: { access_token: 'good-key-of-acme-2' }, name: 'Second' });
  expect(again.status).toBe(200);
  expect((await listed(client))!.connection).toMatchObject({ id: before.id, name: 'Second' });
  expect([acme.webhooks.size, acme.seen.at(-1)!.headers['authorization']]).toEqual([1, 'Bearer good-key-of-acme-2']);
  expect((await connect(client, { credentials: { api_key: 'bad-key-of-acme-xyz' } })).status).toBe(400);
  expect((await client.post<{ ok: boolean }>(`${PATH}/acme/test`, {})).body.ok).toBe(true);
});

test('a key is taken as it was pasted, with the blanks and the line end beside it', async () => {
  const client = await hub.workspace();
  expect((await connect(client, { credentials: { api_key: '  good-key-of-acme-3\r\n' } })).status).toBe(201);
  expect(acme.seen.at(-1)!.headers['authorization']).toBe('Bearer good-key-of-acme-3');
  const blank = await connect(client, { credentials: { api_key: ' \n ' } });
  expect(blank).toMatchObject({ status: 400, body: { error: 'invalid_credentials' } });
});

test('of ten requests at once one subscription comes out', async () => {
  const client = await hub.workspace();
  const answers = await Promise.all(Array.from({ length: 10 }, () => connect(client)));
  expect(answers.filter(({ status }) => status === 201).length).toBe(1);
  expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
  expect([(await rows('connections', client.workspaceId)).length, acme.webhooks.size]).toEqual([1, 1]);
});

test('the same Idempotency-Key connects once and answers twice', async () => {
  const client = await hub.workspace();
  const headers = { 'idempotency-key': 'connect-1' };
  const first = await connect(client, {}, headers);
  const calls = acme.seen.length;
  const second = await connect(client, {}, headers);
  expect(second.body).toEqual(first.body);
  expect([second.headers.get('idempotent-replayed'), acme.seen.length]).toEqual(['true', calls]);
});

test('the test asks with the saved credentials, or with others that are not saved', async () => {
  const client = await hub.workspace();
  expect((await client.post(`${PATH}/acme/test`, {})).status).toBe(409);
  await connect(client);
  expect((await client.post(`${PATH}/acme/test`, {})).body).toEqual({
    ok: true,
    outcome: 'ok',
    message: 'Hello [hidden].',
  });
  const other = { credentials: { api_key: 'bad-key-of-acme-xyz' }, settings: { api_url: acme.url } };
  expect((await client.post(`${PATH}/acme/test`, other)).body).toMatchObject({ ok: false, outcome: 'bad_credentials' });
  expect((await listed(client))!.verified).toBe(true);
  acme.down = 500;
  expect((await client.post(`${PATH}/acme/test`, {})).body).toMatchObject({ ok: false, outcome: 'unreachable' });
  expect((await listed(client))!.connection).toMatchObject({ last_error: '500' });
});

test('disconnecting removes the subscription at the provider and everything here; again it is well', async () => {
  const client = await hub.workspace();
  await connect(client);
  expect((await client.delete(`${PATH}/acme`)).body).toEqual({ ok: true, provider: 'acme', disconnected: true });
  expect(acme.webhooks.size).toBe(0);
  for (const table of ['connections', 'plugin_store']) expect(await rows(table, client.workspaceId)).toEqual([]);
  expect((await client.delete(`${PATH}/acme`)).body).toMatchObject({ disconnected: false });
  expect((await client.delete<ErrorBody>(`${PATH}/nobody`)).body.error).toBe('unknown_provider');
  expect(await listed(client)).toMatchObject({ state: 'available', connection: null });
  expect((await connect(client)).status).toBe(201);
});

test('both ends of a connection are announced', async () => {
  const quiet = await startTestHub({ EGRESS_ALLOWLIST: '127.0.0.1', ROLE: 'api' });
  await serveAcme(quiet);
  const client = await quiet.workspace();
  await connect(client);
  await client.delete(`${PATH}/acme`);
  const { rows: stored } = await quiet.database.pool.query<{ type: string }>(
    "SELECT event ->> 'type' AS type FROM outbox, json_array_elements(events) AS event ORDER BY outbox.id",
  );
  await quiet.end();
  expect(stored.map(({ type }) => type)).toEqual(['connection.connected', 'connection.removed']);
});

test('a plan that does not include a plugin locks it; the list says which one does', async () => {
  const starter = await hub.workspace('starter');
  expect(await listed(starter)).toMatchObject({ state: 'locked', min_plan: 'growth' });
  expect(await connect(starter)).toMatchObject({ status: 403, body: { error: 'plan_required', plan: 'growth' } });
  expect(await listed(starter, 'broken')).toMatchObject({ state: 'failed', reason: 'It fails at its start: no.' });
});

test('another workspace sees and touches nothing of it', async () => {
  const [one, other] = [await hub.workspace(), await hub.workspace()];
  await connect(one);
  expect(await listed(other)).toMatchObject({ state: 'available', connection: null });
  expect((await other.post(`${PATH}/acme/test`, {})).status).toBe(409);
  expect((await other.delete(`${PATH}/acme`)).body).toMatchObject({ disconnected: false });
  expect(await listed(one)).toMatchObject({ state: 'connected' });
  expect(await events(other)).toEqual([]);
});

test.each(AGENTS)(
  'an agent connects it, and reads the words of the provider as a quotation, never as an error: %s',
  async (...agent) => {
    const client = await hub.workspace();
    const used = await agent[1](new URL('/mcp', hub.url), client.key);
    const call = (more: object) => used.call('connect_integration', input(more) as Record<string, unknown>);
    const output = expect.stringContaining('Acme does not know the key');

    const missing = await used.call('connect_integration', { provider: 'acme' });
    expect(missing.structuredContent).toMatchObject({ status: 'missing_fields', missing_fields: ['api_key'] });
    const half = await call({ credentials: { region: 'us' } });
    expect(half.structuredContent).toMatchObject({ status: 'missing_fields', missing_fields: ['api_key'] });
    const short = await call({ credentials: { api_key: 'abc' } });
    expect(short.text).toMatch(/^invalid_credentials: .*\n- credentials\.api_key: .*fewer than 4 characters/);
    const tried = await call({ credentials: { api_key: 'wrong-key-of-acme' }, dry_run: true });
    expect(tried.structuredContent).toMatchObject({
      status: 'not_verified',
      verified: false,
      message: expect.stringMatching(/^The provider does not accept these credentials/),
      provider_said: output,
    });
    const refused = await call({ credentials: { api_key: 'wrong-key-of-acme' } });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(
      /^invalid_credentials: The provider does not accept these credentials; nothing was saved/,
    );
    expect(refused.text).not.toContain('Acme does not know');
    expect(await listed(client)).toMatchObject({ connection: null });

    const good = await call({ dry_run: true });
    expect(good.structuredContent).toMatchObject({ status: 'verified', verified: true });
    expect(acme.webhooks.size).toBe(0);
    expect(await listed(client)).toMatchObject({ connection: null });

    const connected = await call({ name: 'Dialer' });
    expect(connected.structuredContent).toMatchObject({ status: 'connected', verified: true, webhook_active: true });
    expect(connected.text).not.toContain('good-key-of-acme-1');
    expect(await listed(client)).toMatchObject({ state: 'connected', connection: { name: 'Dialer' } });
    await used.close();
  },
);

crmSyncCases(() => hub);
