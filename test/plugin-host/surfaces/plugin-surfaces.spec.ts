import { fileURLToPath } from 'node:url';
import { PluginReconciler } from '#plugin-host/host/plugin.reconciler.js';
import { setEnabled, requestReload } from '#plugin-host/host/desired-state.queries.js';
import type { Plan } from '#domain/plans/tiers.js';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/rough', import.meta.url));
const [, connect] = AGENTS[0]!;

let hub: TestHub;
let client: Client;
const path = (rest: string) => `/v2/plugins/rough/${rest}`;
const agentOf = ({ key }: Client) => connect(new URL('/mcp', hub.url), key);

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
  client = await hub.workspace();
});
afterAll(() => hub?.end());

const upload = (body: string, headers: Record<string, string> = {}) =>
  fetch(hub.url + path('files'), {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${client.key}`, 'content-type': 'text/csv', ...headers },
  });

describe('routes', () => {
  it(`return the plugin's responses, and undeclared routes return 404`, async () => {
    expect(await client.get(path('seen'))).toMatchObject({ status: 200, body: [] });
    expect((await client.get(path('nothing'))).status).toBe(404);
    const wrong = await client.post<object>(path('seen'), {});
    expect({ ...wrong, allow: wrong.headers.get('allow') }).toMatchObject({
      status: 405,
      allow: 'GET, HEAD',
      body: { error: 'method_not_allowed', supported: ['GET', 'HEAD'] },
    });
    const head = { method: 'HEAD', headers: { authorization: `Bearer ${client.key}` } };
    expect((await fetch(hub.url + path('seen'), head)).status).toBe(200);
    expect((await client.get('/v2/plugins/another/seen')).status).toBe(404);
    expect((await client.get(path('%E0%A4%A'))).status).toBe(400);
  });

  it('check the query by the schema, and know what is supported', async () => {
    const { status, body } = await client.get(path('seen?off=1'));
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'unknown_query_param', supported: ['of'] } });
  });

  it('ask for their own scopes, and tell the plugin what the caller may, not who it is', async () => {
    const { body } = await client.get(path('admin'));
    expect(body).toEqual({ plan: 'scale', scopes: ['read', 'write', 'admin', 'settings'] });
    const made = await client.post<{ key: string }>('/v2/api-keys', { name: 'reader', scopes: ['read'] });
    const headers = { authorization: `Bearer ${made.body.key}` };
    expect((await fetch(hub.url + path('admin'), { headers })).status).toBe(403);
    expect((await fetch(hub.url + path('seen'), { headers })).status).toBe(200);
    expect((await fetch(hub.url + path('fail'), { method: 'POST', headers })).status).toBe(403);
    expect((await fetch(hub.url + path('seen'))).status).toBe(401);
  });

  it.each([
    ['rapport:permanent-error', 400, 'invalid_request', 'said to the caller'],
    ['rapport:retry-later', 503, 'unavailable', 'later'],
    ['rapport:unreachable', 503, 'unavailable', 'provider'],
    [undefined, 500, 'internal_error', 'in the service'],
  ])('an error marked %s is answered with %i', async (brand, status, error, detail) => {
    const answer = await client.post<object>(path('fail'), { brand });
    expect(answer).toMatchObject({ status, body: { error, detail: expect.stringContaining(detail) } });
    expect(JSON.stringify(answer.body)).not.toContain('a secret of the plugin');
  });

  it('take a file as a stream, of the declared types and size only', async () => {
    const taken = await upload('x'.repeat(1_500_000), { 'content-disposition': 'attachment; filename="a/b.csv"' });
    expect(taken.status).toBe(201);
    expect(await taken.json()).toEqual({ bytes: 1_500_000, name: 'b.csv', type: 'text/csv' });
    expect((await upload('x'.repeat(2_000_001))).status).toBe(413);
    expect((await upload('x', { 'content-type': 'text/html' })).status).toBe(415);
    expect((await upload('{}', { 'content-type': 'application/json' })).status).toBe(415);
    const elsewhere = {
      method: 'POST',
      body: 'x',
      headers: { authorization: `Bearer ${client.key}`, 'content-type': 'text/csv' },
    };
    expect((await fetch(hub.url + path('fail'), elsewhere)).status).toBe(415);
    expect((await fetch(`${hub.url}/v2/observations`, elsewhere)).status).toBe(415);
  });

  it('are called once per Idempotency-Key, whose response is stored', async () => {
    const once = (key: string, name: string, data: string) =>
      client.post(path(`jobs/${name}`), { data }, { 'idempotency-key': key });
    const counted = async (data: string) =>
      (await client.get<unknown[]>(path('seen'))).body.filter(each => each === data).length;
    const [first, again] = [await once('k1', 'counts', 'idem'), await once('k1', 'counts', 'idem')];
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([202, null]);
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([202, 'true', first.body]);
    await until('it has run', async () => (await counted('idem')) > 0);
    expect(await once('k1', 'counts', 'other')).toMatchObject({ status: 409, body: { error: 'idempotency_conflict' } });
    const fails = () => client.post(path('fail'), {}, { 'idempotency-key': 'k2' });
    expect([(await fails()).status, (await fails()).status]).toEqual([500, 500]);
    const together = await Promise.all(Array.from({ length: 5 }, () => once('k3', 'counts', 'idem together')));
    expect(
      together.filter(({ status, headers }) => status === 202 && !headers.get('idempotent-replayed')),
    ).toHaveLength(1);
    expect(together.every(({ status }) => status === 202 || status === 409)).toBe(true);
    const file = () => upload('x', { 'idempotency-key': 'k4' });
    const files = [await file(), await file()];
    expect(files.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    await until('the jobs have run', async () => (await counted('idem together')) > 0);
    expect([await counted('idem'), await counted('idem together')]).toEqual([1, 1]);
  });

  it('hold their key until the call is over, and free it when its process has died', async () => {
    const call = () => client.post(path('jobs/counts'), { data: 'held' }, { 'idempotency-key': 'held' });
    expect((await call()).status).toBe(202);
    const { pool } = hub.database;
    await pool.query(`UPDATE idempotency_keys SET status = 0, body = 'null' WHERE key = 'held'`);
    expect(await call()).toMatchObject({ status: 409, body: { error: 'idempotency_in_progress' } });
    await pool.query(`UPDATE idempotency_keys SET created_at = now() - interval '1 hour' WHERE key = 'held'`);
    const taken = await call();
    expect([taken.status, taken.headers.get('idempotent-replayed')]).toEqual([202, null]);
  });

  it('stand in the OpenAPI document', async () => {
    const { paths } = (await (await fetch(`${hub.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    expect(paths['/v2/plugins/rough/jobs/{name}']).toMatchObject({ post: { operationId: 'roughEmit' } });
    expect(paths['/v2/plugins/rough/files']).toMatchObject({
      post: { requestBody: { content: { 'text/csv': { schema: { format: 'binary' } } } } },
    });
  });
});

describe('tools', () => {
  it('are given the input, the hub and the call, and no caller', async () => {
    const agent = await agentOf(client);
    const { structuredContent } = await agent.call('rough_say', { word: 'x' });
    expect(structuredContent).toEqual({
      input: { word: 'x' },
      hub: [
        'clock',
        'credentials',
        'events',
        'files',
        'graph',
        'http',
        'jobs',
        'log',
        'runs',
        'settings',
        'signal',
        'store',
      ],
      call: ['log', 'progress', 'signal'],
    });
    const failed = await agent.call('rough_fail');
    expect(failed).toMatchObject({ isError: true, text: expect.stringContaining('failed on our side') });
    expect(failed.text).not.toContain('secret');
    await agent.close();
  });
});

describe('the plan', () => {
  const table: [Plan, route: number, tool: boolean][] = [
    ['starter', 404, false],
    ['growth', 404, false],
    ['scale', 200, true],
  ];

  it.each(table)('%s: the route of a higher plan answers %i, its tool is there: %s', async (plan, status, there) => {
    const workspace = await hub.workspace(plan);
    const agent = await agentOf(workspace);
    expect((await workspace.get(path('scale'))).status).toBe(status);
    expect((await workspace.get(path('seen'))).status).toBe(200);
    expect((await agent.tools()).some(({ name }) => name === 'rough_scale')).toBe(there);
    const call = await agent.call('rough_scale');
    if (there) expect(call.structuredContent).toEqual({ said: 'scale' });
    else expect(call).toMatchObject({ isError: true, text: expect.stringContaining('needs the plan "scale"') });
    await agent.close();
  });
});

describe('the desired state set by operators', () => {
  const follow = () => hub.app.get(PluginReconciler, { strict: false }).reconcile();
  const ask = async () => ({
    route: (await client.get(path('seen'))).status,
    tools: await agentOf(client).then(async agent => {
      const names = (await agent.tools()).map(({ name }) => name).filter(name => name.startsWith('rough_'));
      return agent.close().then(() => names.length);
    }),
    documented: (await (await fetch(`${hub.url}/openapi.json`)).text()).includes('/v2/plugins/rough/'),
    state: ((await (await fetch(`${hub.url}/readyz`)).json()) as { plugins: Record<string, string> }).plugins['rough'],
  });
  const there = { route: 200, tools: 4, documented: true, state: 'ready' };

  it('is applied without a restart: disabled, enabled, reloaded', async () => {
    const { work } = hub.database;
    expect(await ask()).toEqual(there);
    await setEnabled(work, 'rough', false);
    await follow();
    expect(await ask()).toEqual({ route: 404, tools: 0, documented: false, state: 'disabled' });
    await setEnabled(work, 'rough', true);
    await follow();
    expect(await ask()).toEqual(there);
    await client.post(path('events'), { n: 1 });
    await until('it has seen something', async () => (await client.get<unknown[]>(path('seen'))).body.length > 0);
    await requestReload(work, 'rough');
    await follow();
    expect(await ask()).toEqual(there);
    expect((await client.get(path('seen'))).body).toEqual([]);
  });
});
