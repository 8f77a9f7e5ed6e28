import { newId } from '#kernel/ids.js';
import { PostgresUsageStore, RedisUsageStore, type UsageStore, UsageSweeper } from '#kernel/limits/usage-store.js';
import { freshRedis } from '../../support/database/redis.js';
import { type TestHub, startTestHub } from '../../support/hub.js';

let hub: TestHub;
let redis: Awaited<ReturnType<typeof freshRedis>>;
const stores: [string, UsageStore][] = [];
beforeAll(async () => {
  [hub, redis] = await Promise.all([startTestHub(), freshRedis()]);
  stores.push(['PostgreSQL', new PostgresUsageStore(hub.database.work)]);
  if (redis) stores.push(['Redis', new RedisUsageStore(redis.url, { warn: () => undefined })]);
});
afterAll(async () => {
  for (const [, store] of stores) store.close();
  await Promise.all([hub?.end(), redis?.drop()]);
});

const ttlMs = 60_000;

it('the stores add up what processes count, and answer in the order of the request', async () => {
  for (const [, store] of stores) {
    const [a, b] = [newId(), newId()];
    const first = { workspaceId: a, name: 'requests', period: 1, ttlMs };
    const second = { workspaceId: b, name: 'requests', period: 1, ttlMs };
    const until = Date.now() + 10_000;
    const add = async (): Promise<number[]> => {
      try {
        return await store.add([
          { ...second, amount: 5 },
          { ...first, amount: 2 },
          { ...first, period: 2, amount: 1 },
        ]);
      } catch (error) {
        if (Date.now() > until) throw error;
        return new Promise(resolve => setImmediate(() => resolve(add())));
      }
    };
    expect(await add()).toEqual([5, 2, 1]);
    const many = await Promise.all(Array.from({ length: 20 }, () => store.add([{ ...first, amount: 1 }])));
    expect(Math.max(...many.flat())).toBe(22);
  }
});

it('counters of past periods are deleted', async () => {
  const [, store] = stores[0]!;
  await store.add([
    { workspaceId: newId(), name: 'requests', period: 1, ttlMs: 0, amount: 1 },
    { workspaceId: newId(), name: 'requests', period: 1, ttlMs, amount: 1 },
  ]);
  const { work } = hub.database;
  await new UsageSweeper(work).sweep();
  const rows = await work.system(tx => tx.query('SELECT FROM usage_counters WHERE expires_at < now()'));
  expect(rows).toEqual([]);
});

it('a workspace cannot get around its limit with many keys', async () => {
  const limited = await startTestHub({ RATE_LIMITS: 'starter=10' });
  try {
    const client = await limited.workspace('starter');
    const keys = await Promise.all(
      Array.from({ length: 4 }, (_, i) => client.post<{ key: string }>('/v2/api-keys', { name: `key ${i}` })),
    );
    const ask = (key: string) =>
      fetch(`${limited.url}/v2/people?limit=1`, { headers: { authorization: `Bearer ${key}` } });
    const answers = await Promise.all(
      keys.flatMap(({ body }) => Array.from({ length: 50 }, () => ask(body.key).then(({ status }) => status))),
    );
    expect(answers.filter(status => status === 429).length).toBeGreaterThanOrEqual(50);
  } finally {
    await limited.end();
  }
});
