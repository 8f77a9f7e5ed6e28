import { fileURLToPath } from 'node:url';
import type { Plan } from '#domain/plans/tiers.js';
import { setPlan } from '#kernel/workspaces/workspaces.repository.js';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import { event, record } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/tiers', import.meta.url));
const [, connectAgent] = AGENTS[0]!;

interface Seen {
  readonly job: number;
  readonly event: number;
  readonly inbound: number;
  readonly address: string;
}

/** What each surface does. The plugin is for `growth` and above; one route and one tool of it for `scale`. */
interface Surfaces {
  readonly listed: readonly string[];
  readonly called: readonly string[];
  readonly route: number;
  readonly topRoute: number;
  readonly hook: number;
  readonly connect: number;
  readonly shown: string;
  /** Jobs that were due, events that happened, and webhooks that came. */
  readonly delivered: Pick<Seen, 'job' | 'event' | 'inbound'>;
}

const table: Record<Plan, Surfaces> = {
  starter: {
    listed: [],
    called: [],
    route: 404,
    topRoute: 404,
    hook: 404,
    connect: 403,
    shown: 'locked',
    delivered: { job: 0, event: 0, inbound: 0 },
  },
  growth: {
    listed: ['gated_say'],
    called: ['gated_say'],
    route: 200,
    topRoute: 404,
    hook: 200,
    connect: 200,
    shown: 'connected',
    delivered: { job: 1, event: 1, inbound: 1 },
  },
  scale: {
    listed: ['gated_say', 'gated_top'],
    called: ['gated_say', 'gated_top'],
    route: 200,
    topRoute: 200,
    hook: 200,
    connect: 200,
    shown: 'connected',
    delivered: { job: 1, event: 1, inbound: 1 },
  },
};

const HOUR_MS = 3_600_000;

let hub: TestHub;
let posts = 0;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
});
afterAll(() => hub?.end());

const path = (rest: string) => `/v2/plugins/gated/${rest}`;
const seenBy = async (client: Client) => (await client.get<Seen>(path('seen'))).body;
const connect = (client: Client) =>
  client.post('/v2/workspace/integrations', { provider: 'gated', credentials: { token: 'a-token' } });
const post = async (address: string) => {
  const { pathname } = new URL(address);
  return (await fetch(hub.url + pathname, { method: 'POST', body: JSON.stringify({ id: `p${++posts}` }) })).status;
};

/** Sets a plan and waits until every surface has heard of it. */
async function putOn(client: Client, plan: Plan): Promise<void> {
  await setPlan(hub.database.work, client.workspaceId, plan);
  const { route, topRoute } = table[plan];
  await until(
    `${plan} is felt`,
    async () =>
      (await client.get(path('seen'))).status === route && (await client.get(path('top'))).status === topRoute,
  );
}

/** A workspace that was connected while its plan included the plugin, with a webhook's address. */
async function connected(): Promise<{ client: Client; address: string }> {
  const client = await hub.workspace('scale');
  expect((await connect(client)).status).toBe(201);
  return { client, address: (await seenBy(client)).address };
}

async function shownTo(client: Client): Promise<string | undefined> {
  const { body } = await client.get<{ integrations: { provider: string; state: string }[] }>(
    '/v2/workspace/integrations',
  );
  return body.integrations.find(({ provider }) => provider === 'gated')?.state;
}

async function toolsOf(client: Client): Promise<Pick<Surfaces, 'listed' | 'called'>> {
  const agent = await connectAgent(new URL('/mcp', hub.url), client.key);
  const listed = (await agent.tools()).map(({ name }) => name).filter(name => name.startsWith('gated_'));
  const called: string[] = [];
  for (const name of ['gated_say', 'gated_top']) {
    const { isError, text } = await agent.call(name);
    if (!isError) called.push(name);
    else expect(text).toContain('needs the plan');
  }
  await agent.close();
  return { listed, called };
}

/** What waits for its time need not wait any longer. */
const due = ({ workspaceId }: Client) =>
  hub.database.pool.query('UPDATE plugin_jobs SET run_at = now() WHERE workspace_id = $1', [workspaceId]);

const jobsOf = async ({ workspaceId }: Client, state: string) =>
  (
    await hub.database.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM plugin_jobs WHERE workspace_id = $1 AND state = $2',
      [workspaceId, state],
    )
  ).rows[0]!.n;
const outboxOf = async ({ workspaceId }: Client) =>
  (await hub.database.pool.query('SELECT FROM outbox WHERE workspace_id = $1', [workspaceId])).rowCount;

// Each waits for seconds until a plan is felt, so they wait together.
it.concurrent.each(Object.entries(table) as [Plan, Surfaces][])(
  'on %s every entry point is as the table says',
  async (plan, surfaces) => {
    const { client, address } = await connected();
    await client.post(path('emit'), { delayMs: HOUR_MS });
    await putOn(client, plan);
    await due(client);
    const hook = await post(address);
    await record(client, 'ada@acme.com', [event('call_held')]);
    const found = {
      ...(await toolsOf(client)),
      route: (await client.get(path('seen'))).status,
      topRoute: (await client.get(path('top'))).status,
      hook,
      connect: (await connect(client)).status,
      shown: await shownTo(client),
    };
    await until('the event has been told', async () => (await outboxOf(client)) === 0);
    const settled = surfaces.delivered.job === 0 ? 'held' : 'done';
    await until(`the job is ${settled}`, async () =>
      settled === 'held'
        ? (await jobsOf(client, 'held')) === 1
        : (await jobsOf(client, 'waiting')) + (await jobsOf(client, 'queued')) === 0,
    );
    expect(await jobsOf(client, 'waiting')).toBe(0);
    const { rows } = await hub.database.pool.query<{ key: string }>(
      `SELECT key FROM plugin_store WHERE workspace_id = $1 AND key LIKE 'seen %'`,
      [client.workspaceId],
    );
    const delivered = { job: 0, event: 0, inbound: 0, ...Object.fromEntries(rows.map(({ key }) => [key.slice(5), 1])) };
    expect({ ...found, delivered }).toEqual(surfaces);
  },
);

it.concurrent('a plan that is lowered locks and keeps, and one that is raised wakes: work in flight goes on', async () => {
  const { client, address } = await connected();
  await client.post(path('emit'), { delayMs: HOUR_MS });
  await putOn(client, 'starter');
  await due(client);
  await until('the job is held', async () => (await jobsOf(client, 'held')) === 1);
  expect(await post(address)).toBe(404);
  expect(await shownTo(client)).toBe('locked');
  await putOn(client, 'growth');
  await until('the job has run', async () => (await seenBy(client)).job === 1);
  expect(await jobsOf(client, 'held')).toBe(0);
  expect(await shownTo(client)).toBe('connected');
  expect(await post(address)).toBe(200);
  await until('the webhook has arrived', async () => (await seenBy(client)).inbound === 1);
  expect(await seenBy(client)).toMatchObject({ job: 1, address });
});

it.concurrent('a route that is locked by its plan wakes within seconds when that is raised', async () => {
  const client = await hub.workspace('scale');
  const status = async () => (await client.get(path('top'))).status;
  expect(await client.get(path('top'))).toMatchObject({ status: 409, body: { error: 'not_connected' } });
  expect((await connect(client)).status).toBe(201);
  expect(await status()).toBe(200);
  await setPlan(hub.database.work, client.workspaceId, 'starter');
  await until('locked', async () => (await status()) === 404);
  await setPlan(hub.database.work, client.workspaceId, 'scale');
  await until('awake', async () => (await status()) === 200);
});
