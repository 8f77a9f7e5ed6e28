import { randomUUID } from 'node:crypto';
import { describeWithRedis } from '../../support/database/backends.js';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.js';
import { type EventHub, startEventHub } from '../../support/event-hub.js';
import { type FreshRedis, freshRedis } from '../../support/database/redis.js';
import { type TcpProxy, tcpProxy } from '../../support/network/tcp-proxy.js';
import { until } from '../../support/until.js';

const workspace = randomUUID();
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => ({ n: from + i }));

describeWithRedis('with Redis away, the outbox', () => {
  let database: FreshDatabase;
  let redis: FreshRedis;
  let wire: TcpProxy;
  let hub: EventHub;
  let seen: Set<unknown>;

  beforeAll(async () => {
    database = await freshDatabase();
    redis = (await freshRedis())!;
  });

  afterAll(async () => {
    await redis.drop();
    await database.drop();
  });

  afterEach(async () => {
    await hub.stop();
    await wire.close();
  });

  const start = async (cut: boolean) => {
    seen = new Set();
    wire = await tcpProxy(redis.url, { cut });
    hub = await startEventHub({
      databaseUrl: database.url,
      redisUrl: wire.url,
      subscribe: s => s.subscribe('*', 'listener', async event => void seen.add(event.payload['n'])),
    });
  };

  test('keeps what is emitted by a hub that started without Redis, and sends it when Redis comes', async () => {
    await start(true);
    expect(await hub.health.check()).toBe('down');

    await hub.emit(workspace, 'early', ...numbers(0, 10));
    expect(await hub.rows('published_at IS NULL')).toBe(10);

    await wire.repair();
    await until('confirmed', async () => (await hub.rows()) === 0);
    expect(seen.size).toBe(10);
    await until('up', async () => (await hub.health.check()) === 'up');
  });

  test('keeps what is emitted while Redis is away, says so once, and sends it when Redis is back', async () => {
    await start(false);
    await hub.emit(workspace, 'before', { n: 0 });
    await until('delivered', () => seen.size === 1);

    await wire.cut();
    for (const payload of numbers(1, 51)) await hub.emit(workspace, 'during', payload);
    expect(await hub.rows('published_at IS NULL')).toBe(50);
    await until('down', async () => (await hub.health.check()) === 'down');
    await until('told', () => hub.warnings.some(line => line.startsWith('Events wait in the outbox')));
    await wire.repair();

    await until('confirmed', async () => (await hub.rows()) === 0);
    expect(seen.size).toBe(51);
    expect(hub.warnings.filter(line => line.startsWith('Events wait in the outbox')).length).toBe(1);
    expect(hub.warnings.length).toBeLessThan(10);
  });

  test('is left in peace by a hub that stops meanwhile', async () => {
    await start(false);
    await hub.emit(workspace, 'before', { n: 0 });
    await until('confirmed', async () => (await hub.rows()) === 0);

    await wire.cut();
    await hub.emit(workspace, 'during', { n: 1 });
    await hub.stop();
    await wire.close();

    await start(false);
    await until('confirmed', async () => (await hub.rows()) === 0);
    expect([...seen]).toEqual([1]);
  });

  test('finds its way when connections fall silent without being closed', async () => {
    await start(false);
    await hub.emit(workspace, 'before', { n: 0 });
    await until('confirmed', async () => (await hub.rows()) === 0);

    wire.muffle();
    await hub.emit(workspace, 'during', ...numbers(1, 11));
    expect(await hub.health.check()).toBe('down');

    await until('confirmed', async () => (await hub.rows()) === 0);
    expect(seen.size).toBe(11);
  });
});
