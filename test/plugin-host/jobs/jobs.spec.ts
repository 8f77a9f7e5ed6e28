import { fileURLToPath } from 'node:url';
import { enqueueJobs } from '#plugin-host/jobs/job.emitter.js';
import { JobStore } from '#plugin-host/jobs/job.store.js';
import { event, record } from '../../support/graph/graph-calls.js';
import { backends } from '../../support/database/backends.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { freshRedis, type FreshRedis } from '../../support/database/redis.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/rough', import.meta.url));
const ATTEMPTS = 3;

describe.each(backends)('jobs of plugins, with queues in %s', backend => {
  let hub: TestHub;
  let client: Client;
  let store: JobStore;
  let redis: FreshRedis | undefined;
  let before = 0;

  beforeAll(async () => {
    redis = backend === 'redis' ? await freshRedis() : undefined;
    hub = await startTestHub({ PLUGINS_DIR, REDIS_URL: redis?.url ?? '' });
    client = await hub.workspace();
    store = hub.app.get(JobStore, { strict: false });
  });
  afterAll(async () => {
    await hub?.end();
    await redis?.drop();
  });
  beforeEach(async () => {
    before = (await everything()).length;
  });

  const everything = async () => (await client.get<unknown[]>('/v2/plugins/rough/seen')).body;
  const seen = async () => (await everything()).slice(before);
  const emit = (name: string, body: object = {}, by = client) => by.post(`/v2/plugins/rough/jobs/${name}`, body);
  const rows = async (condition = 'true') =>
    (await hub.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM plugin_jobs WHERE ${condition}`))
      .rows[0]!.n;
  const settled = (condition = "state <> 'dead'") =>
    until('nothing is left to do', async () => (await rows(condition)) === 0);
  const deadOf = async (name: string) => (await store.listDead('rough')).filter(job => job.name === name);

  it('one that throws is tried as often as it says, then parked with its reason, and can be sent again', async () => {
    await emit('throws');
    await settled();
    expect(await seen()).toEqual(['throws', 'throws', 'throws']);
    const [dead] = await deadOf('throws');
    expect(dead).toMatchObject({
      plugin: 'rough',
      tries: ATTEMPTS,
      reason: 'I always do',
      workspaceId: client.workspaceId,
    });
    expect(await store.redrive('rough', [dead!.id])).toBe(1);
    await until('it was tried again', async () => (await seen()).length === 2 * ATTEMPTS);
    await settled();
  });

  it('one that heals keeps its id and its data, and knows which try it is', async () => {
    await emit('heals', { data: { a: 1 } });
    await settled();
    const tries = (await seen()) as { id: string; attempt: number }[];
    expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(tries.map(({ id }) => id)).size).toBe(1);
    expect(tries[0]).toMatchObject({ data: { a: 1 } });
  });

  it('a permanent error ends it at once, and a request to retry later costs no attempt', async () => {
    await emit('ends');
    await emit('later');
    await settled();
    const all = await seen();
    expect(all.filter(each => each === 'ends')).toHaveLength(1);
    expect((await deadOf('ends'))[0]).toMatchObject({ reason: 'never again', tries: 1 });
    expect(all.filter(each => each === 'later 1')).toHaveLength(3);
    expect(await deadOf('later')).toEqual([]);
  });

  it('one that hangs is aborted and frees its slot', async () => {
    await emit('hangs');
    await settled();
    expect(await seen()).toEqual(['hangs', 'told to stop']);
    expect((await deadOf('hangs'))[0]).toMatchObject({ reason: expect.stringContaining('300 ms') });
    await emit('counts', { data: 'after it' });
    await until('the next one runs', async () => (await seen()).includes('after it'));
    await emit('frees');
    await settled();
  });

  it('one that goes on after its time limit is tried again only when it has ended', async () => {
    await emit('overruns');
    await until('it was told to stop', async () => (await seen()).includes('told to stop'));
    await emit('counts', { data: 'meanwhile' });
    await until('another one runs', async () => (await seen()).includes('meanwhile'));
    await hub.database.pool.query("UPDATE plugin_jobs SET run_at = now() - interval '1 hour'");
    await emit('counts', { data: 'later' });
    await until('and another one', async () => (await seen()).includes('later'));
    expect((await seen()).filter(each => String(each).startsWith('overruns'))).toEqual(['overruns 1']);
    expect(await rows("name = 'overruns' AND state = 'queued'")).toBe(1);
    await emit('frees');
    await settled();
    expect((await seen()).filter(each => /overruns|ended/.test(String(each)))).toEqual([
      'overruns 1',
      'ended',
      'overruns 1',
      'ended',
    ]);
  });

  it('one that goes on is not taken for lost', async () => {
    const store = hub.app.get(JobStore, { strict: false });
    await emit('counts', { data: 'x', options: { delayMs: 3_600_000 } });
    const { rows: jobs } = await hub.database.pool.query<{ workspaceId: string; id: string }>(
      `UPDATE plugin_jobs SET state = 'queued', queued_at = now() - interval '1 hour' WHERE state = 'waiting' RETURNING workspace_id AS "workspaceId", id`,
    );
    await store.markRunning(jobs[0]!);
    expect(await store.requeueOverdue(60_000, 10)).toBe(0);
    await hub.database.pool.query("DELETE FROM plugin_jobs WHERE state = 'queued'");
  });

  it('one key is there once while it waits', async () => {
    await emit('counts', { all: ['a', 'a', 'a'], options: { key: 'k', delayMs: 3_600_000 } });
    expect(await rows("state = 'waiting'")).toBe(1);
    await hub.database.pool.query('UPDATE plugin_jobs SET run_at = now()');
    await settled();
    expect(await seen()).toEqual(['a']);
    await emit('counts', { all: ['b'], options: { key: 'k' } });
    await settled();
    expect(await seen()).toEqual(['a', 'b']);
  });

  it('a name that the manifest lacks is refused or parked, never tried for ever', async () => {
    await hub.database.pool.query(
      `INSERT INTO plugin_jobs (workspace_id, id, plugin, kind, name, payload)
       VALUES ($1, gen_random_uuid(), 'rough', 'event', 'gone.away', '{"occurredAt": 1}')`,
      [client.workspaceId],
    );
    await until('it was looked at', async () => (await rows("name = 'gone.away' AND attempts > 0")) === 1);
    await hub.database.pool.query("DELETE FROM plugin_jobs WHERE name = 'gone.away'");
  });

  it('hundreds of jobs of one workspace do not stand before the first of another', async () => {
    const other = await hub.workspace();
    const many = Array.from({ length: 500 }, (_, i) => i);
    const counts = { plugin: 'rough', kind: 'job', name: 'counts', connectionId: null } as const;
    await hub.database.work.run(client.workspaceId, async tx =>
      enqueueJobs(
        tx,
        many.map(payload => ({ ...counts, payload })),
      ),
    );
    await emit('counts', { data: 'mine' }, other);
    await settled();
    const order = await seen();
    expect(order).toHaveLength(many.length + 1);
    expect(new Set(order).size).toBe(many.length + 1);
    expect(order.indexOf('mine')).toBeLessThan(many.length / 2);
  });

  it('jobs of one workspace that take long leave a slot to those of another', async () => {
    const other = await hub.workspace();
    await emit('waits', { all: ['a', 'b', 'c', 'd', 'e', 'f'] });
    await until('some of them run', async () => (await seen()).length > 0);
    await emit('waits', { data: 'of another' }, other);
    await until('the job of the other one runs', async () => (await seen()).includes('of another'));
    expect((await seen()).length).toBeLessThan(6);
    await emit('opens');
    await settled();
    expect((await seen()).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'of another']);
  });

  it('events of the hub and of the plugin itself reach it, in the workspace where they happened', async () => {
    await record(client, 'ada@acme.com', [event('call_held')]);
    await client.post('/v2/plugins/rough/events', { n: 7 });
    await until('both have arrived', async () => (await seen()).length >= 2);
    await settled();
    expect(await seen()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'observation.recorded', at: true, entity_id: expect.any(String) }),
        { happened: 7 },
      ]),
    );
  });

  it('queues that were wiped are filled again from the database', async () => {
    await emit('counts', { all: ['w1', 'w2'], options: { delayMs: 200 } });
    await redis?.wipe();
    await settled();
    expect((await seen()).toSorted()).toEqual(['w1', 'w2']);
  });
});
