import { wishEnabled } from '#kernel/plugins/wishes/plugin-wishes.js';
import { PluginCatalogue } from '#kernel/plugins/plugin-catalogue.js';
import { Queues } from '#kernel/queue/queues.js';
import { openLog } from '#kernel/telemetry/logger.js';
import { startHub } from '../../src/hub.js';
import { testEnv } from '../support/hub.js';
import { type ManyPlugins, manyPlugins } from '../support/many-plugins.js';
import { sharedDatabase, type SharedDatabase } from '../support/spawned-hub.js';

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

const imported = (): string[] =>
  (globalThis as unknown as Record<symbol, string[]>)[Symbol.for('rapport-test:imported')] ?? [];

/** Starts a hub on the shared database with queues in PostgreSQL, and counts what plugins take of it. */
async function countWith(PLUGINS_DIR: string) {
  const env = testEnv(shared.settings['DATABASE_URL']!, { PLUGINS_DIR, REDIS_URL: '' });
  const hub = await startHub(env, openLog('silent'));
  const held: unknown = Reflect.get(hub.app.get(Queues, { strict: false }), 'workers');
  const queues = await shared.database.pool.query<{ queue: string }>('SELECT * FROM bullmq.meta');
  const catalogue = hub.app.get(PluginCatalogue, { strict: false });
  const counts = {
    states: [...new Set(catalogue.list().map(({ state }) => state))],
    listed: catalogue.list().length,
    cells: catalogue.allReady().length,
    modules: imported().length,
    workers: [...(held as Set<{ name: string }>)].filter(({ name }) => name.startsWith('plugin-')).length,
    queues: JSON.stringify(queues.rows).split('plugin-many-').length - 1,
  };
  await hub.close();
  return counts;
}

it('a plugin that is disabled is listed and costs nothing: no module, no container, no worker, no queue', async () => {
  const none = await countWith('nowhere');
  for (const id of many.ids) await wishEnabled(shared.database.work, id, false);
  const off = await countWith(many.dir);
  expect(off).toEqual({ ...none, states: ['disabled'], listed: COUNT });
  expect(off).toMatchObject({ cells: 0, modules: 0, queues: 0, workers: 0 });

  for (const id of many.ids) await wishEnabled(shared.database.work, id, true);
  const on = await countWith(many.dir);
  expect(on).toMatchObject({ states: ['ready'], listed: COUNT, cells: COUNT, modules: COUNT, workers: COUNT });
});
