import pg from 'pg';
import { settlesWithin } from '#kernel/scheduling/timeout.js';
import { event, record, tryRecord } from '../support/graph/graph-calls.js';
import { waitingForLocks } from '../support/database/lock-waits.js';
import { clientsOf, type SharedDatabase, sharedDatabase, spawnHub } from '../support/process/spawned-hub.js';
import { startChild } from '../support/process/child-process.js';
import { TEST_KEYS } from '../support/hub.js';
import { until } from '../support/until.js';

const MANY = Array.from({ length: 24 }, (_, i) => i);

let shared: SharedDatabase;

beforeAll(async () => {
  shared = await sharedDatabase();
});
afterAll(() => shared?.drop());

const isListening = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );

async function countOf(id: string): Promise<number[]> {
  const sql = 'SELECT count(*)::int AS n FROM observations WHERE external_id = $1 GROUP BY external_id';
  return (await shared.database.pool.query<{ n: number }>(sql, [id])).rows.map(({ n }) => n);
}

it('SIGTERM completes every request in flight, accepts no new one, and exits with 0', async () => {
  const hub = await spawnHub(shared.settings);
  const [acme] = clientsOf([hub], await shared.workspace());
  await record(acme!, 'ada@acme.com', [event('call_held')]);
  const blocker = new pg.Client(shared.settings['DATABASE_URL']!);
  await blocker.connect();
  await blocker.query('BEGIN; LOCK TABLE observations IN ACCESS EXCLUSIVE MODE');

  const inFlight = MANY.map(i =>
    tryRecord(acme!, `w${i % 7}@acme.com`, [event('call_held', { external_id: `flight-${i}` })]),
  );
  const standing = async () => (await waitingForLocks(shared.database.pool)) >= 2;
  expect(await Promise.race([until('writers stand at the lock', standing), ...inFlight])).toBe(true);
  while ((await Promise.all(MANY.map(() => isListening(hub.url)))).includes(false));
  const ended = hub.end('SIGTERM');
  await until('nobody else is let in', async () => !(await isListening(hub.url)));
  await blocker.query('COMMIT');
  await blocker.end();

  const answers = await Promise.all(inFlight);
  expect(answers.map(({ status, body }) => [status, body.recorded])).toEqual(MANY.map(() => [200, 1]));
  expect(await ended).toBe(0);
  for (const i of MANY) expect(await countOf(`flight-${i}`)).toEqual([1]);
});

it('serves on after SIGTERM while readiness tells load balancers to go elsewhere', async () => {
  const hub = await spawnHub({ ...shared.settings, SHUTDOWN_DELAY_MS: '600000' });
  const [acme] = clientsOf([hub], await shared.workspace());
  const readiness = async () => (await fetch(`${hub.url}/readyz`)).status;
  expect(await readiness()).toBe(200);
  const ended = hub.end('SIGTERM');
  await until('it is not ready', async () => (await readiness()) === 503);
  const answers = await Promise.all(MANY.map(i => tryRecord(acme!, `late${i}@acme.com`, [event('call_held')])));
  expect(answers.map(({ status, headers }) => [status, headers.get('connection')])).toEqual(
    MANY.map(() => [200, 'close']),
  );
  // A second signal ends the wait.
  await hub.end('SIGTERM');
  expect(await ended).toBe(1);
});

it('SIGTERM under load loses nothing that was acknowledged', async () => {
  const hub = await spawnHub(shared.settings);
  const [acme] = clientsOf([hub], await shared.workspace());
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  const load = MANY.map(async i => {
    for (let n = 0; ; n++) {
      const id = `load-${i}-${n}`;
      const answer = await tryRecord(acme!, `hot${n % 3}@acme.com`, [event('call_held', { external_id: id })]).catch(
        () => undefined,
      );
      if (!answer) return;
      statuses.add(answer.status);
      if (answer.status === 200) acknowledged.push(id);
    }
  });
  await until('there is load', () => acknowledged.length > 100);
  expect(await hub.end('SIGTERM')).toBe(0);
  await Promise.all(load);
  expect([...statuses]).toEqual([200]);
  const sql =
    "SELECT external_id AS id, count(*)::int AS n FROM observations WHERE external_id LIKE 'load-%' GROUP BY 1";
  const { rows } = await shared.database.pool.query<{ id: string; n: number }>(sql);
  const stored = new Map(rows.map(({ id, n }) => [id, n]));
  expect(acknowledged.map(id => stored.get(id))).toEqual(acknowledged.map(() => 1));
});

it('ends with npm, whose shell passes no signal on', async () => {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: '0', SECRET_KEYS: TEST_KEYS, ...shared.settings };
  const npm = startChild('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  try {
    const url = await npm.waitFor('the hub listens', () => /ready at (\S+)/.exec(npm.stdout())?.[1], 100_000);
    process.kill(npm.pid!, 'SIGTERM');
    await until('the hub has ended too', async () => !(await isListening(url)));
  } finally {
    // A hub that is left over keeps the pipes of npm open.
    if (!(await settlesWithin(5_000, npm.ended))) process.kill(-npm.pid!, 'SIGKILL');
  }
});
