import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { EventBatch } from '#kernel/events/hub-event.js';
import { BATCH_COLUMNS, toBatch } from '#kernel/events/outbox.repository.js';
import { backends } from '../support/database/backends.js';
import { startChild } from '../support/process/child-process.js';
import { type FreshDatabase, freshDatabase } from '../support/database/database.js';
import { type EventHub, type EventHubOptions, startEventHub } from '../support/event-hub.js';
import { type FreshRedis, freshRedis } from '../support/database/redis.js';
import { type TcpProxy, tcpProxy } from '../support/network/tcp-proxy.js';
import { until } from '../support/until.js';

const workspace = randomUUID();
const numbers = Array.from({ length: 20 }, (_, n) => ({ n }));

describe.each(backends)('events over %s survive', backend => {
  let database: FreshDatabase;
  let redis: FreshRedis | undefined;
  let hubs: EventHub[];
  let seen: unknown[];
  let wire: TcpProxy | undefined;

  beforeAll(async () => {
    database = await freshDatabase();
    if (backend === 'redis') redis = await freshRedis();
  });

  afterAll(async () => {
    await redis?.drop();
    await database.drop();
  });

  beforeEach(() => {
    hubs = [];
    seen = [];
  });

  afterEach(async () => {
    await Promise.all(hubs.map(hub => hub.stop()));
    await wire?.close();
  });

  const start = async (options: Partial<EventHubOptions> = {}) => {
    const subscribe: EventHubOptions['subscribe'] = s =>
      s.subscribe('*', 'listener', async event => void seen.push(event.payload['n']));
    const hub = await startEventHub({ databaseUrl: database.url, redisUrl: redis?.url, subscribe, ...options });
    hubs.push(hub);
    return hub;
  };

  const wipeQueue = async () => {
    if (redis) return redis.wipe();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('TRUNCATE bullmq.job, bullmq.meta, bullmq.event CASCADE');
    await client.end();
  };

  test('a queue that is wiped after they were published', async () => {
    const api = await start({ role: 'api' });
    await api.emit(workspace, 'wiped', ...numbers);
    await until('published', async () => (await api.rows('published_at IS NOT NULL')) === 20);

    await wipeQueue();
    const worker = await start({ settings: { redeliverAfterMs: 100, redeliveryIntervalMs: 200 } });

    await until('confirmed', async () => (await worker.rows()) === 0);
    expect(new Set(seen)).toEqual(new Set(numbers.map(({ n }) => n)));
    expect(await worker.count('rapport_events_redelivered_total', 20)).toBeGreaterThanOrEqual(20);
  });

  test('being looked after while they wait in a queue that is intact: nothing comes twice', async () => {
    const api = await start({ role: 'api', settings: { redeliverAfterMs: 50, redeliveryIntervalMs: 50 } });
    await api.emit(workspace, 'waiting', ...numbers);
    await until('requeued', async () => (await api.count('rapport_events_redelivered_total')) >= 40);
    await api.stop();
    hubs = [];

    const worker = await start({ role: 'worker' });

    await until('confirmed', async () => (await worker.rows()) === 0);
    expect(seen).toEqual(expect.arrayContaining(numbers.map(({ n }) => n)));
    expect(seen.length).toBe(20);
  });

  test('a worker process that is killed in the middle: another one delivers', async () => {
    const api = await start({ role: 'api' });
    const script = fileURLToPath(new URL('../support/process/hanging-worker.mjs', import.meta.url));
    const servers = JSON.stringify({ databaseUrl: database.url, redisUrl: redis?.url });
    const doomed = startChild(process.execPath, [script, servers], { stdio: ['ignore', 'pipe', 'pipe'] });
    await api.emit(workspace, 'orphaned', { n: 7 });
    await doomed.waitFor('it has taken the event', () => doomed.stdout());
    await doomed.kill('SIGKILL');
    expect(await api.rows()).toBe(1);

    const worker = await start({ role: 'worker' });

    await until('delivered by the other', async () => (await worker.rows()) === 0);
    expect(seen).toEqual([7]);
  });

  test('a process that ends while it delivers: it finishes what it has at hand', async () => {
    let finish = () => undefined as void;
    let ended = 0;
    const slow = async () => {
      await new Promise<void>(resolve => (finish = resolve));
      ended++;
    };
    const hub = await start({ subscribe: s => s.subscribe('slow', 'listener', slow) });
    await hub.emit(workspace, 'slow', {});
    const initial = finish;
    await until('taken', () => finish !== initial);

    const stopped = hub.stop();
    hubs = [];
    finish();
    await stopped;

    expect(ended).toBe(1);
    const next = await start({ role: 'api' });
    expect(await next.rows()).toBe(0);
  });

  test('workers that die over one again and again: it is tried once more, then put aside', async () => {
    const hub = await start({ role: 'api' });
    await hub.emit(workspace, 'deadly', {});
    await until('published', async () => (await hub.rows('published_at IS NOT NULL')) === 1);
    const readBatch = async (): Promise<EventBatch> => {
      const rows = await hub.work.system(tx =>
        tx.query<Parameters<typeof toBatch>[0]>(`SELECT ${BATCH_COLUMNS} FROM outbox`),
      );
      return toBatch(rows[0]!);
    };
    const reason = 'job stalled more than allowable limit';
    const stalled = async () => ({
      id: 'stalled',
      name: 'deliver',
      data: { batches: [await readBatch()], taken: {} },
      attemptsMade: 0,
      deferredFailure: reason,
      updateData: async () => undefined,
    });

    await hub.worker.onExhausted(await stalled(), new Error(reason));
    expect(await hub.rows('failed_at IS NOT NULL')).toBe(0);
    expect(await hub.rows('requeued')).toBe(1);
    await hub.worker.onExhausted(await stalled(), new Error(reason));
    expect((await hub.failed.list()).map(failure => failure.reason)).toEqual([reason]);

    await wipeQueue();
    expect(await hub.failed.redrive()).toBe(1);
    const worker = await start({ role: 'worker' });
    await until('confirmed', async () => (await worker.rows()) === 0);
  });

  test('a database that goes away and comes back', async () => {
    wire = await tcpProxy(database.url);
    const hub = await start({ databaseUrl: wire.url });
    await hub.emit(workspace, 'before', { n: 1 });
    await until('confirmed', async () => (await hub.rows()) === 0);

    await wire.cut();
    await expect(hub.emit(workspace, 'during', { n: 2 })).rejects.toMatchObject({ code: 'unavailable' });
    if (backend === 'postgres') expect(await hub.health.check()).toBe('down');
    await wire.repair();

    await until('up', async () => (await hub.health.check()) === 'up');
    await until('emitted', () =>
      hub.emit(workspace, 'after', { n: 3 }).then(
        () => true,
        () => false,
      ),
    );
    await until('confirmed', async () => (await hub.rows()) === 0);
    expect(new Set(seen)).toEqual(new Set([1, 3]));
  });
});
