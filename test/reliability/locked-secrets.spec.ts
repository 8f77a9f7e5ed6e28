import { createLogger } from '#kernel/telemetry/logger.js';
import { createWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import { type Hub, startHub } from '../../src/hub.js';
import { Receiver } from '../fakes/receiver.js';
import { event, record, state } from '../support/graph/graph-calls.js';
import { type FreshDatabase, migratedDatabase } from '../support/database/database.js';
import { freshRedis } from '../support/database/redis.js';
import { type Client, clientOf, TEST_KEYS, testEnv } from '../support/hub.js';
import { until } from '../support/until.js';

const OTHER_KEYS = `other:${Buffer.alloc(32, 6).toString('base64')}`;
const TRIGGERS = '/v2/plugins/triggers/triggers';

let database: FreshDatabase;
let redis: Awaited<ReturnType<typeof freshRedis>>;
let receiver: Receiver;
let hub: Hub;

beforeAll(async () => {
  [database, redis, receiver] = await Promise.all([migratedDatabase(), freshRedis(), Receiver.start()]);
});
afterAll(async () => {
  await hub?.close();
  await receiver?.close();
  await Promise.all([database?.drop(), redis?.drop()]);
});

/** Ends the hub, and starts one with other keys on the same database. */
async function restart(keys: string): Promise<void> {
  await hub?.close();
  const settings = {
    TRIGGERS_EGRESS_ALLOWLIST: 'localhost',
    SECRET_KEYS: keys,
    ...(redis && { REDIS_URL: redis.url }),
  };
  hub = await startHub(testEnv(database.url, settings), createLogger('silent'));
}

interface Triggers {
  readonly triggers: readonly { readonly id: string; readonly state: string; readonly reason: string | null }[];
}

/** Jobs of the plugin that were tried and wait for another try, with no attempt counted. */
const waitingJobs = async () =>
  (
    await hub.database.pool.query(
      `SELECT 1 FROM plugin_jobs WHERE plugin = 'triggers' AND state = 'waiting' AND attempts = 0
       AND run_at > now() + interval '20 seconds'`,
    )
  ).rowCount;

it('a secret without its key is locked in lists, its deliveries wait, and all is well when the key is back', async () => {
  await restart(TEST_KEYS);
  const { workspace, key } = await createWorkspace(hub.database.work, { name: 'Acme', plan: 'scale' });
  const clientHere = (): Client => clientOf(hub.url, key, workspace.id);
  const body = { url: receiver.url('/in'), events: ['reply.received'] };
  const made = await clientHere().post<{ trigger: { id: string; secret: string } }>(TRIGGERS, body);
  expect(made.status).toBe(201);
  receiver.secrets.set('/in', made.body.trigger.secret);

  await restart(OTHER_KEYS);
  const listed = await clientHere().get<Triggers>(TRIGGERS);
  expect(listed).toMatchObject({ status: 200, body: { triggers: [{ id: made.body.trigger.id, state: 'locked' }] } });
  expect(listed.body.triggers[0]!.reason).toContain('SECRET_KEYS');
  const read = await clientHere().get<{ error: string; detail: string }>(`${TRIGGERS}/${made.body.trigger.id}`);
  expect(read).toMatchObject({ status: 503, body: { error: 'unavailable' } });
  expect(read.headers.get('retry-after')).toBe('60');
  const another = await clientHere().post(TRIGGERS, { ...body, url: receiver.url('/other') });
  expect(another.status).toBe(503);

  await record(clientHere(), 'ada@acme.com', [state('title', 'CTO'), event('email_replied')]);
  await until('the delivery waits', waitingJobs);

  await restart(`${OTHER_KEYS},${TEST_KEYS}`);
  const unlocked = await clientHere().get<Triggers>(TRIGGERS);
  expect(unlocked).toMatchObject({ status: 200, body: { triggers: [{ state: 'active', reason: null }] } });
  await hub.database.pool.query("UPDATE plugin_jobs SET run_at = now() WHERE plugin = 'triggers'");
  await until('it was delivered', () => receiver.at('/in').length === 1);
  const after = await clientHere().get<Triggers>(TRIGGERS);
  expect(after).toMatchObject({ status: 200, body: { triggers: [{ state: 'active', reason: null }] } });
});
