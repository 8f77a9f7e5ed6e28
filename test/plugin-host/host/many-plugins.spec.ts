import { setEnabled } from '#plugin-host/host/desired-state.queries.js';
import { EventSubscriptionRegistry } from '#kernel/events/event-subscription.registry.js';
import { ToolRegistry } from '#kernel/mcp/tool.registry.js';
import { PluginRegistry } from '#plugin-host/host/plugin.registry.js';
import { PluginReconciler } from '#plugin-host/host/plugin.reconciler.js';
import { QueueServer } from '#kernel/queue/queue-server.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import { type Hub, startHub } from '../../../src/hub.js';
import { testEnv } from '../../support/hub.js';
import { type ManyPlugins, manyPlugins } from '../../support/plugins/many-plugins.js';
import { sharedDatabase, type SharedDatabase } from '../../support/process/spawned-hub.js';
import { until } from '../../support/until.js';

const COUNT = 20;

let many: ManyPlugins;
let shared: SharedDatabase;

beforeAll(async () => {
  many = manyPlugins(COUNT);
  shared = await sharedDatabase();
});
afterAll(async () => {
  await shared?.drop();
  many?.end();
});

const shown = (name: string) => (globalThis as unknown as Record<symbol, unknown>)[Symbol.for(`rapport-test:${name}`)];
const imported = () => (shown('imported') ?? []) as string[];
const beating = () => (shown('beating') ?? new Set()) as Set<unknown>;

/** Starts a hub on the shared database with queues in PostgreSQL. */
function start(PLUGINS_DIR: string): Promise<Hub> {
  const env = testEnv(shared.settings['DATABASE_URL']!, { PLUGINS_DIR, REDIS_URL: '' });
  return startHub(env, createLogger('silent'));
}

/** What plugins take of a hub while nothing happens. */
async function takenOf({ app }: Hub) {
  const workers = app.get(QueueServer, { strict: false }).listStartedWorkers();
  const catalogue = app.get(PluginRegistry, { strict: false });
  const { rows } = await shared.database.pool.query<{ sessions: number }>(
    `SELECT count(*)::int AS sessions FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'rapport queues' AND query LIKE 'LISTEN%'`,
  );
  const tools = app.get(ToolRegistry, { strict: false }).list({ plan: 'scale', scopes: ['read'] });
  return {
    cells: catalogue.listReady().length,
    listeners: catalogue.listConsumers('observation.recorded').length,
    subscriptions: app.get(EventSubscriptionRegistry, { strict: false }).findSubscribers('observation.recorded').length,
    timers: beating().size,
    tools: tools.filter(({ name }) => name.startsWith('many_')).length,
    sessions: rows[0]!.sessions,
    workers: workers.filter(name => name.startsWith('plugin-')).length,
  };
}

/** Starts a hub, counts what plugins take of it, and ends it. */
async function countWith(PLUGINS_DIR: string) {
  const hub = await start(PLUGINS_DIR);
  const queues = await shared.database.pool.query<{ queue: string }>('SELECT * FROM bullmq.meta');
  const listed = hub.app.get(PluginRegistry, { strict: false }).list();
  const counts = {
    ...(await takenOf(hub)),
    states: [...new Set(listed.map(({ state }) => state))],
    listed: listed.length,
    modules: imported().length,
    queues: JSON.stringify(queues.rows).split('plugin-many-').length - 1,
  };
  await hub.close();
  return counts;
}

it('a plugin that is disabled is listed and costs nothing: no module, no container, no worker, no queue', async () => {
  const none = await countWith('nowhere');
  for (const id of many.ids) await setEnabled(shared.database.work, id, false);
  const off = await countWith(many.dir);
  expect(off).toEqual({ ...none, states: ['disabled'], listed: COUNT });
  expect(off).toMatchObject({ cells: 0, modules: 0, queues: 0, workers: 0 });

  for (const id of many.ids) await setEnabled(shared.database.work, id, true);
  const on = await countWith(many.dir);
  expect(on).toMatchObject({ states: ['ready'], listed: COUNT, cells: COUNT, modules: COUNT, workers: COUNT });
});

it('a plugin that is disabled while the hub runs gives back all that it took', async () => {
  const hub = await start('nowhere');
  const none = await takenOf(hub);
  await hub.close();
  const full = await start(many.dir);
  const host = full.app.get(PluginReconciler, { strict: false });
  expect(await takenOf(full)).toMatchObject({ cells: COUNT, listeners: COUNT, timers: COUNT, workers: COUNT });
  for (const id of many.ids) await setEnabled(shared.database.work, id, false);
  await host.reconcile();
  await host.reconcile();
  const left = await until('all is given back', async () => {
    const taken = await takenOf(full);
    return taken.sessions <= none.sessions && taken;
  });
  expect(left).toEqual(none);
  await full.close();
});
