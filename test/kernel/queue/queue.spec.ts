import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openPostgresQueues } from '#kernel/queue/postgres-queues.js';
import type { ActiveJob } from '#kernel/queue/hub-worker.js';
import { QueueHealthIndicator } from '#kernel/queue/queue.health.js';
import type { QueueServer } from '#kernel/queue/queue-server.js';
import { openRedisQueues } from '#kernel/queue/redis-queues.js';
import { backends, describeWithRedis } from '../../support/database/backends.js';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.js';
import { type FreshRedis, freshRedis } from '../../support/database/redis.js';
import { openQueue, openWorker } from '../../support/queues.js';
import { until } from '../../support/until.js';

interface Errand {
  readonly n: number;
}

const log = { warn: () => undefined };
const nothing = async () => undefined;

let database: FreshDatabase;
let redis: FreshRedis | undefined;

beforeAll(async () => {
  database = await freshDatabase();
  redis = await freshRedis();
});

afterAll(async () => {
  await redis?.drop();
  await database.drop();
});

const open = (kind: QueueServer['kind']) =>
  kind === 'redis' ? openRedisQueues(redis!.url, log) : openPostgresQueues(database.url, log);

async function ask<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe.each(backends)('queues in %s', kind => {
  let queues: QueueServer;

  beforeEach(async () => {
    queues = await open(kind);
  });

  afterEach(async () => {
    await queues.onApplicationShutdown();
  });

  test('a job that is added is done, and one with an id that is known is not added again', async () => {
    const name = `errands-${randomUUID()}`;
    const done: number[] = [];
    const run = async (job: ActiveJob<Errand>) => void done.push(job.data.n);
    const queue = await openQueue<Errand>(queues, name);

    await queue.add('go', { n: 1 }, { jobId: 'first' });
    await queue.add('go', { n: 2 }, { jobId: 'first' });
    await queue.addBulk([
      { name: 'go', data: { n: 3 }, opts: { jobId: 'first' } },
      { name: 'go', data: { n: 4 }, opts: { jobId: 'second' } },
    ]);
    await openWorker<Errand>(queues, name, { run });

    await until('both done', () => done.length === 2);
    expect(done).toEqual([1, 4]);
  });

  test('a job that fails is tried as often as the queue says, then given up once', async () => {
    const name = `errands-${randomUUID()}`;
    const tries: number[] = [];
    const given: string[] = [];
    const queue = await openQueue<Errand>(queues, name, { attempts: 3, backoff: { type: 'fixed', delay: 10 } });
    await openWorker<Errand>(queues, name, {
      run: async job => {
        tries.push(job.attemptsMade);
        throw new Error('no luck');
      },
      onExhausted: async (_, error) => void given.push(error.message),
    });

    await queue.add('go', { n: 1 });

    await until('given up', () => given.length > 0);
    expect(tries).toEqual([0, 1, 2]);
    expect(given).toEqual(['no luck']);
  });

  test('health is up while the server answers and the workers run', async () => {
    const health = new QueueHealthIndicator(queues);
    await until('up', async () => (await health.check()) === 'up');
    const worker = await openWorker<Errand>(queues, `errands-${randomUUID()}`, { run: nothing });
    expect(await health.check()).toBe('up');

    await worker.close();

    expect(await health.check()).toBe('down');
  });

  test('closing tells a job that takes too long to stop, and another worker does it', async () => {
    const name = `errands-${randomUUID()}`;
    const done: number[] = [];
    let taken = 0;
    const queue = await openQueue<Errand>(queues, name);
    const worker = await openWorker<Errand>(queues, name, {
      run: (_, signal) => {
        taken++;
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    await queue.add('go', { n: 1 });
    await until('taken', () => taken === 1);

    await worker.closeWithin(100);
    await openWorker<Errand>(queues, name, { run: async job => void done.push(job.data.n) });

    await until('done by the other', () => done.length === 1);
    expect(taken).toBe(1);
  });
});

test('queues in PostgreSQL use three connections and one for each worker', async () => {
  const queues = await open('postgres');
  const done: number[] = [];
  const run = async (job: ActiveJob<Errand>) => void done.push(job.data.n);
  const names = [1, 2, 3].map(() => `errands-${randomUUID()}`);
  const opened = await Promise.all(names.map(name => openQueue<Errand>(queues, name)));
  for (const name of names) await openWorker<Errand>(queues, name, { run }, 20);

  const errands = Array.from({ length: 100 }, (_, n) => ({ name: 'go', data: { n } }));
  await Promise.all(opened.map(queue => queue.addBulk(errands)));
  await until('all done', () => done.length === 300);

  const rows = await ask<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  expect(rows[0]!.n).toBeLessThanOrEqual(6);
  await queues.onApplicationShutdown();
});

test('a worker goes on after PostgreSQL has ended all its connections', async () => {
  const queues = await open('postgres');
  const name = `errands-${randomUUID()}`;
  const done: number[] = [];
  const queue = await openQueue<Errand>(queues, name);
  await openWorker<Errand>(queues, name, { run: async job => void done.push(job.data.n) });
  await queue.add('go', { n: 1 });
  await until('done', () => done.length === 1);

  await ask(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );

  await until('added', () => queue.add('go', { n: 2 }).catch(() => false));
  await until('done', () => done.length === 2);
  expect(done).toEqual([1, 2]);
  await queues.onApplicationShutdown();
});

test('the schema of the queues is apart from the tables of the hub', async () => {
  const queues = await open('postgres');
  const rows = await ask(
    `SELECT DISTINCT schemaname AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  await queues.onApplicationShutdown();
  expect(rows).toEqual([{ name: 'bullmq' }]);
});

describeWithRedis('queues of both kinds', () => {
  test('live side by side in one process', async () => {
    const name = `errands-${randomUUID()}`;
    const done: string[] = [];
    const both = await Promise.all((['postgres', 'redis'] as const).map(open));
    for (const queues of both) {
      await openWorker<Errand>(queues, name, { run: async () => void done.push(queues.kind) });
      const queue = await openQueue<Errand>(queues, name);
      await until('added', () => queue.add('go', { n: 1 }).catch(() => false));
    }

    await until('both done', () => done.length === 2);
    expect(new Set(done)).toEqual(new Set(['postgres', 'redis']));
    await Promise.all(both.map(queues => queues.onApplicationShutdown()));
  });

  test('in Redis have a hash tag for a prefix', async () => {
    const queues = await open('redis');
    const queue = await openQueue<Errand>(queues, 'tagged');
    await until('added', () => queue.add('go', { n: 1 }).catch(() => false));
    expect(await redis!.keys()).toEqual(expect.arrayContaining(['{rapport}:tagged:wait']));
    await queues.onApplicationShutdown();
  });
});

test('health is down, within a second, when nothing answers', async () => {
  const queues = await openRedisQueues('redis://127.0.0.1:1', log);
  expect(await new QueueHealthIndicator(queues).check()).toBe('down');
  await queues.onApplicationShutdown();
});
