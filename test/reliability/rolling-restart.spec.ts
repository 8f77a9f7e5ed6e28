import { event, tryRecord } from '../support/graph/graph-calls.js';
import {
  clientsOf,
  type SharedDatabase,
  sharedDatabase,
  type SpawnedHub,
  spawnHub,
} from '../support/process/spawned-hub.js';
import { until } from '../support/until.js';

const CALLERS = Array.from({ length: 8 }, (_, i) => i);
/** Answered requests between two steps of the restart: each step happens under load. */
const REQUESTS_PER_STEP = 100;
/** Longer than a load balancer takes to notice that an api is not ready. */
const SHUTDOWN_DELAY_MS = '5000';

let shared: SharedDatabase;

beforeAll(async () => {
  shared = await sharedDatabase();
});
afterAll(() => shared?.drop());

const start = (role: 'api' | 'worker') => spawnHub({ ...shared.settings, ROLE: role, SHUTDOWN_DELAY_MS });
const count = async (sql: string): Promise<number> =>
  (await shared.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)).rows[0]!.n;

/** Sends requests to the apis in rotation, as a load balancer does that checks their readiness. */
class LoadBalancer {
  private readonly ready = new Set<SpawnedHub>();
  private turn = 0;

  constructor(private readonly apis: SpawnedHub[]) {}

  next(): SpawnedHub {
    const candidates = [...this.ready];
    return candidates[this.turn++ % candidates.length]!;
  }

  add(api: SpawnedHub): Promise<void> {
    this.apis.push(api);
    return this.check();
  }

  async check(): Promise<void> {
    for (const api of this.apis) {
      const status = await fetch(`${api.url}/readyz`).then(
        answer => answer.status,
        () => 0,
      );
      if (status === 200) this.ready.add(api);
      else this.ready.delete(api);
    }
  }

  has(api: SpawnedHub): boolean {
    return this.ready.has(api);
  }
}

it('a rolling restart of two api and two worker processes fails no request and loses no write', async () => {
  const [apis, workers] = await Promise.all([
    Promise.all([start('api'), start('api')]),
    Promise.all([start('worker'), start('worker')]),
  ]);
  const workspace = await shared.workspace();
  const balancer = new LoadBalancer([...apis]);
  await balancer.check();
  const statuses = new Map<number, number>();
  let responses = 0;
  const end = new AbortController();
  const load = CALLERS.map(async caller => {
    for (let n = 0; !end.signal.aborted; n++) {
      const [client] = clientsOf([balancer.next()], workspace);
      const observation = event('call_held', { external_id: `rolling-${caller}-${n}` });
      const status = await tryRecord(client!, `p${n % 5}@acme.com`, [observation]).then(
        answer => answer.status,
        () => 0,
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      responses++;
    }
  });
  const underLoad = async () => {
    const before = responses;
    await until('there is load', () => responses >= before + REQUESTS_PER_STEP);
  };

  for (const worker of workers) {
    await underLoad();
    expect(await worker.end('SIGTERM')).toBe(0);
    await start('worker');
  }
  for (const api of apis) {
    await underLoad();
    const ended = api.end('SIGTERM');
    await until('the load balancer leaves it out', async () => (await balancer.check(), !balancer.has(api)));
    await underLoad();
    expect(await ended).toBe(0);
    await balancer.add(await start('api'));
  }
  await underLoad();
  end.abort();
  await Promise.all(load);

  expect([...statuses.keys()]).toEqual([200]);
  expect(await count("observations WHERE external_id LIKE 'rolling-%'")).toBe(responses);
  await until('every event is delivered', async () => (await count('outbox')) === 0);
});
