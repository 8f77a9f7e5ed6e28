import { fileURLToPath } from 'node:url';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { checkManifest } from '#sdk/manifest/check-manifest.js';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import portal from '../../fixtures/plugins/several/portal/manifest.js';
import type { ErrorBody } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const manifest = portal;
const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/several', import.meta.url));

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly settings: object;
}

const PATH = '/v2/workspace/integrations';
let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
});
afterAll(() => hub?.end());

const connect = (client: Client, api_key: string, name?: string) =>
  client.post<{ connection: { id: string } } & ErrorBody>(PATH, {
    provider: 'portal',
    credentials: { api_key },
    ...(name && { name }),
  });
const shown = async (client: Client) => {
  const { body } = await client.get<{ integrations: { provider: string; connections: Shown[] }[] }>(PATH);
  return body.integrations.find(({ provider }) => provider === 'portal')!;
};
const who = (client: Client, query = '') =>
  client.get<{ key?: string; imported?: number } & ErrorBody>(`/v2/plugins/portal/who${query}`);

/** A workspace with two connections. */
async function connected(): Promise<{ client: Client; eu: string; us: string }> {
  const client = await hub.workspace();
  const eu = await connect(client, 'key-eu', 'EU');
  const us = await connect(client, 'key-us', 'US');
  expect([eu.status, us.status]).toEqual([201, 201]);
  return { client, eu: eu.body.connection.id, us: us.body.connection.id };
}

it('a connection is made for each name, and connecting under a known one changes it', async () => {
  const { client, eu } = await connected();
  const again = await connect(client, 'key-eu-2', ' eu ');
  expect(again).toMatchObject({ status: 200, body: { connection: { id: eu } } });
  expect(await shown(client)).toMatchObject({
    state: 'connected',
    multiple_connections: true,
    connection: { id: eu },
    connections: [{ name: 'eu', state: 'connected', verified: true, made_by: 'credentials' }, { name: 'US' }],
  });
});

it('one connection is used without being named, several are not', async () => {
  const client = await hub.workspace();
  expect((await who(client)).body).toMatchObject({ error: 'not_connected' });
  await connect(client, 'key-only');
  expect((await who(client)).body).toMatchObject({ key: 'key-only' });
  const second = await connect(client, 'key-second', 'Second');
  const { status, body } = await who(client);
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { error: 'connection_required', connections: [{ name: 'Portal' }, { name: 'Second' }] },
  });
  expect((await who(client, `?connection_id=${second.body.connection.id}`)).body).toMatchObject({ key: 'key-second' });
});

it.each([
  ['an unknown one', '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17'],
  ['what is no ID', 'EU'],
])('%s is not found, wherever it is named', async (_, id) => {
  const { client } = await connected();
  const expected = { status: 404, body: { error: 'connection_not_found' } };
  expect(await who(client, `?connection_id=${id}`)).toMatchObject(expected);
  const path = `${PATH}/portal/connections/${id}`;
  expect(await client.get(path)).toMatchObject(expected);
  expect(await client.patch(path, { name: 'New' })).toMatchObject(expected);
  expect(await client.post(`${path}/test`, {})).toMatchObject(expected);
  expect(await client.delete(path)).toMatchObject(expected);
});

it('a connection of another workspace is not found', async () => {
  const { client } = await connected();
  const { eu } = await connected();
  expect(await client.get(`${PATH}/portal/connections/${eu}`)).toMatchObject({ status: 404 });
});

it('each is read, changed, tested and ended by its ID; without one the hub asks which', async () => {
  const { client, eu, us } = await connected();
  const one = `${PATH}/portal/connections/${us}`;
  expect(await client.get(one)).toMatchObject({ status: 200, body: { id: us, name: 'US', settings: {} } });
  expect(await client.post(`${one}/test`, {})).toMatchObject({ status: 200, body: { ok: true } });
  expect(await client.patch(one, { settings: { region: 'us' } })).toMatchObject({ status: 200 });
  expect((await client.get(one)).body).toMatchObject({ settings: { region: 'us' } });
  for (const answer of [
    await client.patch(`${PATH}/portal`, { name: 'X' }),
    await client.post(`${PATH}/portal/test`, {}),
    await client.delete(`${PATH}/portal`),
  ])
    expect(answer).toMatchObject({ status: 409, body: { error: 'connection_required' } });

  expect(await client.delete(one)).toMatchObject({ status: 200, body: { disconnected: true } });
  expect((await shown(client)).connections.map(({ id }) => id)).toEqual([eu]);
  expect((await who(client)).body).toMatchObject({ key: 'key-eu' });
});

it('a name belongs to one connection', async () => {
  const { client, us } = await connected();
  const taken = await client.patch(`${PATH}/portal/connections/${us}`, { name: 'eu' });
  expect(taken).toMatchObject({ status: 409, body: { error: 'connection_name_taken' } });
  expect((await client.patch(`${PATH}/portal/connections/${us}`, { name: 'us' })).status).toBe(200);
});

it('two requests at the same time make one connection of a name', async () => {
  const client = await hub.workspace();
  const answers = await Promise.all([connect(client, 'key-1', 'EU'), connect(client, 'key-2', 'EU')]);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await shown(client)).connections).toHaveLength(1);
});

it('two renames to one name at the same time leave it to one connection', async () => {
  const { client, eu, us } = await connected();
  const answers = await Promise.all(
    [eu, us].map(id => client.patch<ErrorBody>(`${PATH}/portal/connections/${id}`, { name: 'World' })),
  );
  const [kept, refused] = answers.toSorted((left, right) => left.status - right.status);
  expect(kept).toMatchObject({ status: 200 });
  expect(refused).toMatchObject({ status: 409, body: { error: 'connection_name_taken' } });
  expect((await shown(client)).connections.filter(({ name }) => name === 'World')).toHaveLength(1);
});

it('every connection receives each event once', async () => {
  const { client, eu, us } = await connected();
  const list = { name: 'Spring', source: 'csv', rows: [{ email: 'ada@gmail.com' }, { email: 'bob@gmail.com' }] };
  expect((await client.post('/v2/lead-lists/attach', list)).status).toBeLessThan(300);
  for (const id of [eu, us])
    await until('both people arrive', async () => (await who(client, `?connection_id=${id}`)).body.imported === 2);
  const { rows } = await hub.database.pool.query(
    `SELECT connection_id, count(*)::int AS n FROM plugin_store WHERE workspace_id = $1 GROUP BY 1`,
    [client.workspaceId],
  );
  expect(rows.map(({ n }) => n as number)).toEqual([2, 2]);
});

it.each(AGENTS)('an agent names the connection, and learns which there are: %s', async (_, open) => {
  const { client, eu, us } = await connected();
  const agent = await open(new URL('/mcp', hub.url), client.key);
  const tool = (await agent.tools()).find(({ name }) => name === 'portal_who')!;
  expect(tool.inputSchema).toMatchObject({
    properties: { loud: { type: 'boolean' }, connection_id: { type: 'string' } },
  });
  const lost = await agent.call('portal_who', {});
  expect(lost.isError).toBe(true);
  for (const part of ['connection_required', eu, us]) expect(lost.text).toContain(part);
  const answer = await agent.call('portal_who', { connection_id: us });
  expect(answer.structuredContent ?? JSON.parse(answer.text)).toEqual({ key: 'key-us', loud: false });
  for (const wrong of [{ loud: 'yes' }, { laud: true }]) {
    expect((await agent.call('portal_who', { connection_id: us, ...wrong })).isError).toBe(true);
  }
  await agent.close();
});

it.each<[string, Partial<PluginManifest>, string]>([
  ['a dormant plugin', { dormant: true }, 'has no connections'],
  ['a resource', { resources: { 'portal://calls': {} } }, 'offer a tool instead'],
  [
    'a parameter of the hub',
    { routes: { who: { ...manifest.routes!['who']!, query: { type: 'object', properties: { connection_id: {} } } } } },
    'choose another name',
  ],
])('the manifest is refused with %s', (_, change, fault) => {
  expect(checkManifest(manifest)).toEqual([]);
  expect(checkManifest({ ...manifest, ...change }).join()).toContain(fault);
});
