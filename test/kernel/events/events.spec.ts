import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { EventHandler } from '#kernel/events/event-subscription.registry.js';
import type { HubEvent } from '#kernel/events/hub-event.js';
import { backends } from '../../support/database/backends.js';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.js';
import { type EventHub, type EventHubOptions, startEventHub } from '../../support/event-hub.js';
import { type FreshRedis, freshRedis } from '../../support/database/redis.js';
import { until } from '../../support/until.js';

const workspace = randomUUID();

/** Subscribes one listener. */
const listen =
  (type: string, handle: EventHandler): EventHubOptions['subscribe'] =>
  subscriptions =>
    subscriptions.subscribe(type, 'listener', handle);

describe.each(backends)('events over %s', backend => {
  let database: FreshDatabase;
  let redis: FreshRedis | undefined;
  let hubs: EventHub[];

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
  });

  afterEach(async () => {
    await Promise.all(hubs.map(hub => hub.stop()));
  });

  const start = async (options: Omit<EventHubOptions, 'databaseUrl' | 'redisUrl'> = {}) => {
    const hub = await startEventHub({ databaseUrl: database.url, redisUrl: redis?.url, ...options });
    hubs.push(hub);
    return hub;
  };

  test('a workspace that emits a flood lets the events of others pass', async () => {
    const [flooding, quiet] = [randomUUID(), randomUUID()];
    const gate = Promise.withResolvers<void>();
    const quietDelivered = Promise.withResolvers<void>();
    let isOpen = false;
    let floodStartedLater = 0;
    let floodBeforeQuiet = Infinity;
    let delivered = 0;
    const handle = async ({ workspaceId }: HubEvent) => {
      if (workspaceId === quiet) {
        floodBeforeQuiet = floodStartedLater;
        quietDelivered.resolve();
      } else if (isOpen) {
        floodStartedLater++;
        await quietDelivered.promise;
      } else await gate.promise;
      delivered++;
    };
    const hub = await start({ subscribe: listen('note.saved', handle) });
    for (let i = 0; i < 10; i++) await hub.emit(flooding, 'note.saved', ...Array.from({ length: 1000 }, () => ({})));
    await until('the flood is in the queue', async () => (await hub.rows('published_at IS NULL')) === 0);
    await hub.emit(quiet, 'note.saved', {});
    await until('the other is in the queue', async () => (await hub.rows('published_at IS NULL')) === 0);
    isOpen = true;
    gate.resolve();
    await until('all are delivered', () => delivered === 10_001);
    // A process delivers four jobs of at most 1000 events at a time, and one of the next four has the other event.
    expect(floodBeforeQuiet).toBeLessThanOrEqual(3_000);
  });

  test('an emitted event reaches its subscriber, and its row goes', async () => {
    const seen: HubEvent[] = [];
    const hub = await start({ subscribe: listen('note.saved', async event => void seen.push(event)) });
    expect(hub.queues.kind).toBe(backend);

    await hub.emit(workspace, 'note.saved', { note: 'n1' });

    await until('delivered', () => seen.length === 1);
    await until('confirmed', async () => (await hub.rows()) === 0);
    expect(seen[0]).toMatchObject({ workspaceId: workspace, type: 'note.saved', payload: { note: 'n1' } });
    expect(seen[0]!.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number.isSafeInteger(seen[0]!.occurredAt)).toBe(true);
    expect(await hub.count('rapport_events_published_total', 1)).toBe(1);
    expect(await hub.count('rapport_events_delivered_total', 1)).toBe(1);
  });

  test('a rolled back transaction emits nothing', async () => {
    const seen: string[] = [];
    const hub = await start({ subscribe: listen('*', async event => void seen.push(event.type)) });

    await expect(
      hub.work.run(workspace, async tx => {
        tx.emit({ type: 'never', payload: {} });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await hub.emit(workspace, 'afterwards', {});

    await until('the later one delivered', () => seen.length > 0);
    await until('confirmed', async () => (await hub.rows()) === 0);
    expect(seen).toEqual(['afterwards']);
  });

  test('500 events of concurrent transactions arrive, none lost', async () => {
    const seen = new Map<number, number>();
    const note = async ({ payload }: HubEvent) => {
      const n = Number(payload['n']);
      seen.set(n, (seen.get(n) ?? 0) + 1);
    };
    const hub = await start({ subscribe: listen('burst', note) });

    await Promise.all(Array.from({ length: 500 }, (_, n) => hub.emit(randomUUID(), 'burst', { n })));

    await until('all confirmed', async () => (await hub.rows()) === 0);
    expect(seen.size).toBe(500);
    expect([...seen.values()].every(times => times === 1)).toBe(true);
    expect(await hub.count('rapport_events_delivered_total', 500)).toBe(500);
  });

  test('a subscriber that fails twice gets the event until it takes it; the others get it once', async () => {
    const tries = { shaky: 0, steady: 0 };
    const hub = await start({
      subscribe: s => {
        s.subscribe('shaken', 'steady', async () => void tries.steady++);
        s.subscribe('shaken', 'shaky', async () => {
          if (++tries.shaky < 3) throw new Error('not now');
        });
      },
    });

    await hub.emit(workspace, 'shaken', {});

    await until('confirmed', async () => (await hub.rows()) === 0);
    expect(tries).toEqual({ shaky: 3, steady: 1 });
  });

  test('of a transaction whose events are not all taken, only those come again', async () => {
    const tries = new Map<unknown, number>();
    const hub = await start({
      subscribe: listen('part', async ({ payload: { n } }) => {
        tries.set(n, (tries.get(n) ?? 0) + 1);
        if (n === 2 && tries.get(n)! < 3) throw new Error('not now');
      }),
    });

    await hub.emit(workspace, 'part', { n: 1 }, { n: 2 }, { n: 3 });

    await until('confirmed', async () => (await hub.rows()) === 0);
    expect([...tries].toSorted()).toEqual([
      [1, 1],
      [2, 3],
      [3, 1],
    ]);
  });

  test('stay as dead letters if their delivery fails to the end, and only those', async () => {
    const refuse = async ({ payload: { n } }: HubEvent) => {
      if (n === 2) throw new Error('never');
    };
    const hub = await start({ settings: { attempts: 2 }, subscribe: listen('half', refuse) });

    await hub.emit(workspace, 'half', { n: 1 }, { n: 2 });
    await until('given up', async () => (await hub.rows("failed_at IS NOT NULL AND events->0->>'type' = 'half'")) > 0);

    const stored = (await hub.failed.list()).filter(({ events }) => events[0]?.type === 'half');
    expect(stored.map(({ events }) => events.map(({ payload }) => payload['n']))).toEqual([[2]]);
    await hub.work.system(tx => tx.query('DELETE FROM outbox WHERE failed_at IS NOT NULL'));
  });

  test('an event that is refused to the end stays visible, and can be sent again', async () => {
    let refusing = true;
    let tries = 0;
    const refuse = async () => {
      tries++;
      if (refusing) throw new Error('receiver says no');
    };
    const hub = await start({ settings: { attempts: 3 }, subscribe: s => s.subscribe('bad', 'receiver', refuse) });

    await hub.emit(workspace, 'bad', { n: 1 });
    const [failure] = await until('given up', async () => {
      const list = await hub.failed.list();
      return list.length > 0 && list;
    });

    expect(tries).toBe(3);
    expect(failure).toMatchObject({
      workspaceId: workspace,
      events: [{ type: 'bad', payload: { n: 1 } }],
      reason: 'receiver: receiver says no',
    });
    await until('told', () => hub.errors.length === 1);
    expect(hub.errors[0]).toContain(failure!.events[0]!.id);
    expect(hub.errors[0]).toContain('receiver says no');
    expect(await hub.count('rapport_events_failed_total', 1)).toBe(1);
    expect(await hub.rows('failed_at IS NOT NULL')).toBe(1);

    refusing = false;
    expect(await hub.failed.redrive([failure!.id])).toBe(1);
    await until('confirmed', async () => (await hub.rows()) === 0);
    expect(tries).toBe(4);
  });

  test('a subscriber that hangs is aborted and retried', async () => {
    let tries = 0;
    let aborted = 0;
    const hang = (_: HubEvent, signal: AbortSignal) => {
      if (++tries > 1) return Promise.resolve();
      return new Promise<void>(() => signal.addEventListener('abort', () => aborted++));
    };
    const hub = await start({ settings: { deliveryTimeoutMs: 200 }, subscribe: listen('slow', hang) });

    await hub.emit(workspace, 'slow', {});

    await until('confirmed', async () => (await hub.rows()) === 0);
    expect({ tries, aborted }).toEqual({ tries: 2, aborted: 1 });
  });

  test('two hubs share the work: nothing is published twice, nothing is delivered twice', async () => {
    const seen: string[] = [];
    const subscribe = listen('shared', async event => void seen.push(event.id));
    const settings = { batchSize: 20 };
    const [one, other] = await Promise.all([start({ subscribe, settings }), start({ subscribe, settings })]);

    const emitters = Array.from({ length: 300 }, (_, n) => (n % 2 ? one : other).emit(workspace, 'shared', { n }));
    await Promise.all(emitters);

    await until('all confirmed', async () => (await one.rows()) === 0);
    expect(seen.length).toBe(300);
    expect(new Set(seen).size).toBe(300);
    const published = async () =>
      (await Promise.all([one, other].map(hub => hub.count('rapport_events_published_total')))).reduce((a, b) => a + b);
    await until('all counted', async () => (await published()) >= 300);
    expect(await published()).toBe(300);
  });

  test('a process rests only when it has published all there is', async () => {
    const seen: string[] = [];
    const settings = { batchSize: 5, minPauseMs: 3_600_000, maxPauseMs: 3_600_000, pollIntervalMs: 3_600_000 };
    const resting = await start({ role: 'api', settings });
    await resting.emit(workspace, 'first', {});
    await until('it rests', async () => (await resting.count('rapport_events_published_total')) === 1);
    for (let n = 0; n < 23; n++) await resting.emit(workspace, 'waits', { n });
    expect(await resting.rows('published_at IS NULL')).toBe(23);

    const next = await start({ subscribe: listen('waits', async event => void seen.push(event.id)), settings });
    await until('all confirmed', async () => (await next.rows()) === 0);
    expect(new Set(seen).size).toBe(23);
  });

  test('a process does not gather events that arrive one by one', async () => {
    const seen: string[] = [];
    const settings = { minPauseMs: 1, maxPauseMs: 3_600_000, pollIntervalMs: 3_600_000 };
    const hub = await start({ subscribe: listen('single', async event => void seen.push(event.id)), settings });
    for (let n = 1; n <= 5; n++) {
      await hub.emit(workspace, 'single', { n });
      await until('delivered', () => seen.length === n);
    }
  });

  test('an api process publishes, a worker process delivers', async () => {
    const seen: string[] = [];
    const api = await start({ role: 'api', subscribe: listen('*', async () => void seen.push('api')) });

    await api.emit(workspace, 'split', {});
    await until('published', async () => (await api.rows('published_at IS NOT NULL')) === 1);
    expect(seen).toEqual([]);

    await start({ role: 'worker', subscribe: listen('*', async () => void seen.push('worker')) });
    await until('confirmed', async () => (await api.rows()) === 0);
    expect(seen).toEqual(['worker']);
  });

  test('events that waited while no process ran are published at the next start', async () => {
    await (await start()).stop();
    hubs = [];
    await insertEvent(database.url, 'late');

    const seen: string[] = [];
    const next = await start({ subscribe: listen('late', async event => void seen.push(event.type)) });

    await until('confirmed', async () => (await next.rows()) === 0);
    expect(seen).toEqual(['late']);
  });

  test('events whose names nobody knows count as delivered', async () => {
    const hub = await start();
    await hub.emit(workspace, 'unheard', {}, {});
    await until('confirmed', async () => (await hub.rows()) === 0);
    expect(await hub.count('rapport_events_delivered_total', 2)).toBe(2);
  });
});

async function insertEvent(url: string, type: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('INSERT INTO outbox (workspace_id, id, events, event_count) VALUES ($1, $2, $3, 1)', [
    workspace,
    randomUUID(),
    JSON.stringify([{ id: randomUUID(), type, payload: {} }]),
  ]);
  await client.end();
}
