import { fileURLToPath } from 'node:url';
import { PluginJobScheduler } from '#plugin-host/jobs/plugin-job.scheduler.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/tenants', import.meta.url));

let hub: TestHub;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR, REDIS_URL: '' });
});
afterAll(() => hub?.end());

async function connected(): Promise<Client> {
  const client = await hub.workspace();
  const body = { provider: 'diary', credentials: { token: 'a-token' } };
  expect((await client.post('/v2/workspace/integrations', body)).status).toBe(201);
  return client;
}

const ticksOf = async (client: Client) =>
  (await client.get<{ ticks: number }>('/v2/plugins/diary/pages?kind=&what=')).body.ticks;
const look = () => hub.app.get(PluginJobScheduler, { strict: false }).runNow();
const lastSlot = (slot: number) => hub.database.pool.query('UPDATE plugin_schedules SET last_slot = $1', [slot]);
const idle = () =>
  until('nothing is left to do', async () => (await hub.database.pool.query('SELECT FROM plugin_jobs')).rowCount === 0);

const NEVER_AGAIN = 1e15;
const PERIOD_MS = 10_000;

/** Has several look whether something is due, and waits until that has run. @returns whether they looked in one period */
async function withinAPeriod(one: Client, two: Client): Promise<boolean> {
  const before = (await ticksOf(one)) + (await ticksOf(two));
  const period = async () =>
    (await hub.database.pool.query(`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000 / ${PERIOD_MS}) AS now`))
      .rows[0].now as string;
  const started = await period();
  await lastSlot(0);
  await Promise.all([look(), look()]);
  await look();
  await lastSlot(NEVER_AGAIN);
  const ended = await period();
  await until('each has run', async () => (await ticksOf(one)) + (await ticksOf(two)) > before + 1);
  await idle();
  return started === ended;
}

it('a job with everyMs runs by itself for every connection, once in each period in any number of processes', async () => {
  const [one, two, gone] = [await connected(), await connected(), await connected()];
  await until('each has run by itself', async () => {
    const ticks = await Promise.all([one, two, gone].map(ticksOf));
    return ticks.every(n => n > 0);
  });
  await lastSlot(NEVER_AGAIN);
  await idle();
  expect((await gone.delete('/v2/workspace/integrations/diary')).status).toBe(200);
  await look();
  expect((await hub.database.pool.query('SELECT FROM plugin_jobs')).rowCount).toBe(0);

  let before: number[];
  do before = [await ticksOf(one), await ticksOf(two)];
  while (!(await withinAPeriod(one, two)));
  expect([await ticksOf(one), await ticksOf(two)]).toEqual(before.map(n => n + 1));
});

it('one that still waits is enough: periods that pass meanwhile give no second one', async () => {
  await lastSlot(0);
  await look();
  await hub.database.pool.query(`UPDATE plugin_jobs SET run_at = now() + interval '1 hour' WHERE state = 'waiting'`);
  for (let period = 0; period < 3; period++) {
    await lastSlot(0);
    await look();
  }
  const { rows } = await hub.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM plugin_jobs WHERE plugin = 'diary' GROUP BY connection_id`,
  );
  expect(rows.every(({ n }) => n === 1)).toBe(true);
});
