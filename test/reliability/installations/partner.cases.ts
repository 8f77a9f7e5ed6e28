import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Plan } from '#domain/plans/tiers.js';
import { createWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import { signInbound } from '#sdk/signature.js';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import { type FakeWeb, startFakeWeb } from '../../fakes/fake-web.js';
import { account } from '../../support/graph/graph-calls.js';
import { type Client, clientOf } from '../../support/hub.js';
import { rapportHere } from '../../support/process/rapport-command.js';
import { sharedDatabase, type SharedDatabase, type SpawnedHub, spawnHub } from '../../support/process/spawned-hub.js';
import { nodeIn, repositoryPackages, type TempProject } from '../../support/process/temp-project.js';
import { until } from '../../support/until.js';

const NAME = 'rapport-plugin-zeppelin-calls';
const EMAIL = 'ada@example.org';

/** Where a plugin was made, compiled and tested. */
export interface Partner {
  readonly place: TempProject;
  /** The folder of the plugin. */
  readonly dir: string;
}

let shared: SharedDatabase;
let provider: FakeWeb;

/** Webhooks that workspaces have registered, by the key that they did it with. */
const webhooks = new Map<string, { id: string; url: string; secret: string }>();
const callOf = (id: string) => ({
  id,
  ended_at: '2026-01-05T10:12:00Z',
  seconds: 720,
  outcome: 'connected',
  with: { email: EMAIL, name: 'Ada Byron' },
});

/** What answers where the plugin's provider is to be. */
function startProvider(): Promise<FakeWeb> {
  return startFakeWeb(({ method, url, headers, body }, response) => {
    const end = (status: number, json?: object) => response.writeHead(status).end(json && JSON.stringify(json));
    const key = String(headers['authorization']).replace('Bearer ', '');
    if (!key.startsWith('good')) return end(401, {});
    if (url.startsWith('/v1/calls')) return end(200, { calls: [callOf(`past-of-${key}`)] });
    if (url === '/v1/me') return end(200, {});
    if (method === 'POST') {
      webhooks.set(key, { id: `w-${key}`, ...(JSON.parse(body) as { url: string; secret: string }) });
      return end(201, { id: `w-${key}` });
    }
    if (method === 'DELETE') return end(webhooks.delete(key) ? 204 : 404);
    return end(webhooks.has(key) ? 200 : 404);
  });
}

/** The partner wants the plan `growth`, and the provider that answers here. */
function changeManifest(dir: string): void {
  const manifest = path.join(dir, 'src/manifest.ts');
  const text = readFileSync(manifest, 'utf8').replace(`minPlan: 'starter'`, `minPlan: 'growth'`);
  const changed = text.replace(/default: 'https:[^']*'/, `default: '${provider.url}'`);
  expect(changed).toMatch(/'growth'[^]*http:/);
  writeFileSync(manifest, changed);
  const bundled = nodeIn(dir, [path.join(repositoryPackages, 'rolldown/bin/cli.mjs'), '-c']);
  expect(bundled.status).toBe(0);
}

async function workspace(hub: SpawnedHub, plan: Plan): Promise<Client> {
  const made = await createWorkspace(shared.database.work, { name: plan, plan });
  return clientOf(hub.url, made.key, made.workspace.id);
}

const connect = (client: Client, key: string) =>
  client.post('/v2/workspace/integrations', { provider: 'zeppelin-calls', credentials: { api_key: key } });

const imported = ({ workspaceId }: Client) =>
  shared.database.work.run(workspaceId, async tx =>
    tx.emit({
      type: 'contact.imported',
      payload: { entity_id: workspaceId, email: EMAIL, name: 'Ada Byron', import_id: 'i-1' },
    }),
  );

function deliver(hub: SpawnedHub, key: string, id: string): Promise<Response> {
  const { url, secret } = webhooks.get(key)!;
  const raw = Buffer.from(JSON.stringify({ event: 'call.ended', call: callOf(id) }));
  const signature = {
    algorithm: 'hmac-sha256',
    header: 'x-zeppelin-calls-signature',
    secretFrom: 'generated',
  } as const;
  const headers = signInbound(signature, secret, { raw, id, at: new Date() });
  return fetch(hub.url + new URL(url).pathname, { method: 'POST', headers, body: raw });
}

/** The ids of the calls on the timeline of the contact. */
async function callsSeenBy(client: Client): Promise<string[]> {
  const answer = await client.get<{ recent_observations?: { value: { call_id?: string } }[] }>(`/v2/accounts/${EMAIL}`);
  return (answer.body.recent_observations ?? []).flatMap(({ value }) => value?.call_id ?? []).toSorted();
}

/** Everything that the plugin does, for two workspaces beside each other and one whose plan does not include it. */
async function everythingWorks(hub: SpawnedHub, run: string): Promise<void> {
  const [one, two, small] = await Promise.all([
    workspace(hub, 'growth'),
    workspace(hub, 'scale'),
    workspace(hub, 'starter'),
  ]);
  const keys = { one: `good-one-${run}`, two: `good-two-${run}` };
  expect((await connect(one, 'bad-key')).status).toBe(400);
  expect((await connect(small, `good-${run}`)).status).toBe(403);
  expect((await connect(one, keys.one)).status).toBe(201);
  expect((await connect(two, keys.two)).status).toBe(201);

  await Promise.all([one, two, small].map(imported));
  expect((await deliver(hub, keys.one, 'live')).status).toBe(200);
  expect((await deliver(hub, keys.one, 'live')).status).toBe(200);
  const forged = await fetch(hub.url + new URL(webhooks.get(keys.one)!.url).pathname, { method: 'POST', body: '{}' });
  expect(forged.status).toBe(401);
  await until('the calls are there', async () => (await callsSeenBy(one)).length === 2);
  await until('those of the other as well', async () => (await callsSeenBy(two)).length === 1);
  expect(await callsSeenBy(one)).toEqual(['live', `past-of-${keys.one}`]);
  expect(await callsSeenBy(two)).toEqual([`past-of-${keys.two}`]);
  expect(await callsSeenBy(small)).toEqual([]);

  const { entity } = (await account(one, EMAIL)) as unknown as { entity: { id: string } };
  const panel = (client: Client) => client.get(`/v2/plugins/zeppelin-calls/calls?focus=${entity.id}`);
  expect(await panel(one)).toMatchObject({ status: 200, body: { kind: 'table', rows: [{ minutes: 12 }] } });
  expect(await panel(two)).toMatchObject({ status: 200, body: { kind: 'table', rows: [] } });
  expect((await panel(small)).status).toBe(404);

  for (const [, connectAgent] of AGENTS) {
    for (const [client, expected] of [
      [one, `past-of-${keys.one}`],
      [two, `past-of-${keys.two}`],
      [small, undefined],
    ] as const) {
      const agent = await connectAgent(new URL('/mcp', hub.url), client.key);
      const names = (await agent.tools()).map(({ name }) => name);
      expect(names.includes('zeppelin_calls_list_calls')).toBe(expected !== undefined);
      const called = await agent.call('zeppelin_calls_list_calls', { email: EMAIL });
      if (expected) expect(called.structuredContent).toMatchObject({ calls: [{ id: expected }] });
      else expect(called).toMatchObject({ isError: true, text: expect.stringContaining('growth') });
      const prompts = await agent.prompts();
      expect(prompts.includes('zeppelin_calls_prepare_call')).toBe(expected !== undefined);
      const read = agent.read(`zeppelin-calls://calls/${EMAIL}`);
      if (expected) expect(await read).toMatchObject([{ text: expect.stringContaining(expected) }]);
      else await expect(read).rejects.toThrow('growth');
      await agent.close();
    }
  }

  expect((await one.delete('/v2/workspace/integrations/zeppelin-calls')).status).toBe(200);
  await until('the provider was told', () => !webhooks.has(keys.one));
  expect(webhooks.has(keys.two)).toBe(true);
}

const settings = () => ({ ...shared.settings, EGRESS_ALLOWLIST: '127.0.0.1' });

/** The plugin in hubs that know nothing of it but its package. */
export function partnerCases(partner: () => Partner): void {
  beforeAll(async () => {
    [shared, provider] = await Promise.all([sharedDatabase(), startProvider()]);
    changeManifest(partner().dir);
  });
  afterAll(async () => {
    await shared?.drop();
    await provider?.close();
  });

  it('is installed by its name, named in RAPPORT_PLUGINS, and does all that its manifest says', async () => {
    const { place, dir } = partner();
    place.install(dir, NAME);
    const home = path.join(place.dir, 'home');
    await mkdir(home);
    const named = { PLUGINS_DIR: path.join(home, 'none'), RAPPORT_PLUGINS: NAME };
    const hub = await spawnHub({ ...settings(), ...named }, home);
    expect(await statesOf(hub)).toEqual({ 'zeppelin-calls': 'ready' });
    await everythingWorks(hub, 'named');
    expect(await hub.end('SIGTERM')).toBe(0);
  });

  it('is linked into the plugins folder of a hub, and does the same', async () => {
    const { place, dir } = partner();
    const PLUGINS_DIR = path.join(place.dir, 'hub/plugins');
    expect(await rapportHere(['plugin', 'link', dir, '--to', PLUGINS_DIR], {})).toMatchObject({ code: 0 });
    const hub = await spawnHub({ ...settings(), PLUGINS_DIR });
    expect(await statesOf(hub)).toEqual({ 'zeppelin-calls': 'ready' });
    await everythingWorks(hub, 'linked');
    expect(await hub.end('SIGTERM')).toBe(0);
  });
}

async function statesOf({ url }: SpawnedHub): Promise<unknown> {
  return ((await (await fetch(`${url}/readyz`)).json()) as { plugins?: unknown }).plugins;
}
