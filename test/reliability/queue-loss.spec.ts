import { fileURLToPath } from 'node:url';
import { EventSubscriptionRegistry } from '#kernel/events/event-subscription.registry.js';
import { LostJobRequeuer } from '#plugin-host/jobs/job.maintenance.js';
import { PluginRegistry } from '#plugin-host/host/plugin.registry.js';
import { PluginReconciler } from '#plugin-host/host/plugin.reconciler.js';
import { requestReload, setEnabled } from '#plugin-host/host/desired-state.queries.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import { startHub } from '../../src/hub.js';
import { Receiver } from '../fakes/receiver.js';
import { backends } from '../support/database/backends.js';
import { event, record } from '../support/graph/graph-calls.js';
import { pauseJobs } from '../support/plugins/paused-jobs.js';
import { type Client, startTestHub, testEnv } from '../support/hub.js';
import { linkedPlugins } from '../support/plugins/linked-plugins.js';
import { freshRedis } from '../support/database/redis.js';
import { clientsOf, sharedDatabase, spawnHub } from '../support/process/spawned-hub.js';
import { until } from '../support/until.js';

const folder = (name: string) => fileURLToPath(new URL(`../fixtures/plugins/${name}`, import.meta.url));

const WORDS = Array.from({ length: 20 }, (_, n) => `w${n}`);
const PEOPLE = ['ada', 'bob', 'cyd', 'dan', 'eve'].map(name => `${name}@killed.example`);
const REPLIES = 4;
const TOLD = '/told';

const pages = async (client: Client, kind: string, what: string) =>
  (
    await client.get<{ pages: string[]; address: string }>(
      `/v2/plugins/diary/pages?kind=${encodeURIComponent(kind)}&what=${what}`,
    )
  ).body;

/** Connects the diary. @returns the path that webhooks for it go to */
async function diaryOf(client: Client): Promise<string> {
  const input = { provider: 'diary', credentials: { token: 'a-token' } };
  expect((await client.post('/v2/workspace/integrations', input)).status).toBe(201);
  return new URL((await pages(client, '', '')).address).pathname;
}

const post = async (url: string, word: string) =>
  (await fetch(url, { method: 'POST', body: JSON.stringify({ word, pause: 0 }) })).status;

async function tellReplies(client: Client, receiver: Receiver): Promise<void> {
  const trigger = { url: receiver.url(TOLD), events: ['reply.received'] };
  const made = await client.post<{ trigger: { secret: string } }>('/v2/workspace/triggers', trigger);
  receiver.secrets.set(TOLD, made.body.trigger.secret);
}

async function replyInOrder(client: Client, person: string): Promise<void> {
  for (let n = 0; n < REPLIES; n++) await record(client, person, [event('email_replied', { value: { n } })]);
}

describe.each(backends)('with queues in %s', backend => {
  it('jobs whose queue was wiped after they had been handed out run once each', async () => {
    const redis = backend === 'redis' ? await freshRedis() : undefined;
    const settings = { PLUGINS_DIR: folder('rough'), REDIS_URL: redis?.url ?? '' };
    const api = await startTestHub({ ...settings, ROLE: 'api' });
    const { pool, url } = api.database;
    const client = await api.workspace();
    const all = [1, 2, 3].map(n => `lost ${n} in ${backend}`);
    await client.post('/v2/plugins/rough/jobs/counts', { all });
    const inState = async (state: string) =>
      (await pool.query('SELECT FROM plugin_jobs WHERE state = $1', [state])).rowCount;
    await until('they are in the queue', async () => (await inState('queued')) === all.length);
    const queued = async () =>
      redis
        ? (await redis.keys()).filter(key => key.includes('plugin-rough')).length
        : (await pool.query('SELECT FROM bullmq.job')).rowCount!;
    await until('the queue has them', async () => (await queued()) >= all.length);
    if (redis) await redis.wipe();
    else await pool.query('TRUNCATE bullmq.job, bullmq.meta, bullmq.event CASCADE');
    expect(await queued()).toBe(0);

    const worker = await startHub(testEnv(url, { ...settings, ROLE: 'worker' }), createLogger('silent'));
    expect(await inState('queued')).toBe(all.length);
    await pool.query(`UPDATE plugin_jobs SET queued_at = now() - interval '5 minutes'`);
    await api.app.get(LostJobRequeuer, { strict: false }).runNow();
    await until('all have run', async () => (await pool.query('SELECT FROM plugin_jobs')).rowCount === 0);
    const seen = (await client.get<unknown[]>('/v2/plugins/rough/seen')).body;
    expect(seen.filter(each => String(each).endsWith(`in ${backend}`)).toSorted()).toEqual(all);
    await worker.close();
    await api.end();
    await redis?.drop();
  });

  it('events acknowledged right before the process was killed are processed: webhooks arrive, and replies are reported', async () => {
    const [receiver, shared] = await Promise.all([Receiver.start(), sharedDatabase()]);
    const plugins = linkedPlugins(folder('tenants/diary'), folder('../../../plugins/triggers'));
    const settings = {
      ...shared.settings,
      PLUGINS_DIR: plugins.dir,
      TRIGGERS_EGRESS_ALLOWLIST: 'localhost',
      ...(backend === 'postgres' && { REDIS_URL: '' }),
    };
    const first = await spawnHub(settings);
    const workspaces = [await shared.workspace(), await shared.workspace()] as const;
    const posting = clientsOf([first], workspaces[0])[0]!;
    const replying = clientsOf([first], workspaces[1])[0]!;
    const address = await diaryOf(posting);
    await tellReplies(replying, receiver);

    const release = await pauseJobs(shared.settings['DATABASE_URL']!);
    const [acknowledged] = await Promise.all([
      Promise.all(WORDS.map(word => post(first.url + address, word))),
      Promise.all(PEOPLE.map(person => replyInOrder(replying, person))),
    ]);
    await first.end('SIGKILL');
    expect(acknowledged).toEqual(WORDS.map(() => 200));
    const { pool } = shared.database;
    const inbound = `FROM plugin_jobs WHERE kind = 'inbound'`;
    const { rows } = await pool.query(`SELECT state, attempts ${inbound} GROUP BY state, attempts`);
    expect(rows).toEqual([{ state: 'waiting', attempts: 0 }]);
    expect(receiver.at(TOLD)).toEqual([]);
    await release();

    const second = await spawnHub(settings);
    const after = clientsOf([second], workspaces[0])[0]!;
    await until('all have arrived', async () => (await pool.query(`SELECT ${inbound}`)).rowCount === 0);
    for (const word of WORDS) expect((await pages(after, `post ${word}`, word)).pages).toEqual([word]);
    expect((await pool.query('SELECT FROM inbound_events')).rowCount).toBe(WORDS.length);

    const arrived = () => Map.groupBy(receiver.at(TOLD), ({ id }) => id);
    await until('all are told', () => arrived().size >= PEOPLE.length * REPLIES);
    const received = [...arrived().values()].map(([seen]) => receiver.verified<Told>(TOLD, seen!).data);
    for (const person of PEOPLE) {
      const own = received.filter(({ entity }) => entity.email === person);
      expect(own.map(({ observation }) => observation.value.n)).toEqual(Array.from({ length: REPLIES }, (_, n) => n));
    }
    expect(await second.end('SIGTERM')).toBe(0);
    await Promise.all([receiver.close(), shared.drop()]);
    plugins.remove();
  });
});

it('events that arrive while plugins are replaced wait for them and are not counted as delivered', async () => {
  const hub = await startTestHub({ PLUGINS_DIR: folder('rough') });
  const client = await hub.workspace();
  const catalogue = hub.app.get(PluginRegistry, { strict: false });
  const handed = async () =>
    (await hub.database.pool.query('SELECT FROM outbox WHERE published_at IS NOT NULL')).rowCount === 1;

  const exchange = Promise.withResolvers<void>();
  catalogue.beginChange(exchange.promise);
  const rough = catalogue.findReady('rough')!;
  catalogue.remove('rough');
  await record(client, 'ada@exchanged.example', [event('email_replied')]);
  await until('its event is on its way', handed);
  catalogue.add(rough);
  exchange.resolve();
  const seen = async () => (await client.get<unknown[]>('/v2/plugins/rough/seen')).body;
  await until('the plugin was told', async () =>
    (await seen()).some(each => JSON.stringify(each).includes('email_replied')),
  );

  await hub.app.get(PluginReconciler, { strict: false }).onApplicationShutdown();
  const [plugins] = hub.app.get(EventSubscriptionRegistry, { strict: false }).findSubscribers('observation.recorded');
  const landed = { id: '1', type: 'observation.recorded', workspaceId: client.workspaceId, occurredAt: 0, payload: {} };
  await expect(plugins!.handle(landed, AbortSignal.timeout(5_000))).rejects.toThrow('closed');
  await hub.end();
});

it('what comes for a plugin that cannot be opened waits until it can', async () => {
  const hub = await startTestHub({ PLUGINS_DIR: folder('tenants') });
  const host = hub.app.get(PluginReconciler, { strict: false });
  const catalogue = hub.app.get(PluginRegistry, { strict: false });
  const client = await hub.workspace();
  await client.post('/v2/workspace/integrations', { provider: 'diary', credentials: { token: 'a-token' } });
  const pages = async (kind: string) =>
    (await client.get<{ pages: string[]; address: string }>(`/v2/plugins/diary/pages?kind=${kind}`)).body;
  const { pathname } = new URL((await pages('')).address);
  const restart = async (state: string) => {
    await setEnabled(hub.database.work, 'diary', false);
    await host.reconcile();
    await setEnabled(hub.database.work, 'diary', true);
    await host.reconcile();
    await host.reconcile();
    expect(catalogue.list()).toMatchObject([{ id: 'diary', state }]);
  };

  process.env['DIARY'] = 'torn';
  await restart('failed');
  const { entity_id } = await record(client, 'ada@torn.example', [event('email_replied')]);
  const posted = await fetch(hub.url + pathname, { method: 'POST', body: '{"word": "torn", "pause": 0}' });
  expect(posted.status).toBe(200);
  const stored = async () => (await hub.database.pool.query('SELECT FROM plugin_jobs')).rowCount === 2;
  await until('both are kept', stored);

  delete process.env['DIARY'];
  await requestReload(hub.database.work, 'diary');
  await host.reconcile();
  await host.reconcile();
  expect(catalogue.list()).toMatchObject([{ id: 'diary', state: 'ready' }]);
  await until('nothing waits', async () => (await hub.database.pool.query('SELECT FROM plugin_jobs')).rowCount === 0);
  expect((await pages(`recorded%20${entity_id}`)).pages).toEqual([entity_id]);
  expect((await pages('post%20torn')).pages).toEqual(['torn']);
  await hub.end();
});

interface Told {
  readonly data: {
    readonly observation: { readonly value: { readonly n: number } };
    readonly entity: { readonly email: string };
  };
}
