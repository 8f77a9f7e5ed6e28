import { event, tryRecord, wholeTimeline } from '../support/graph/graph-calls.js';
import type { Client } from '../support/hub.js';
import { expectClaimsConsistent } from '../support/graph/expect-claims-consistent.js';
import {
  clientsOf,
  type SharedDatabase,
  sharedDatabase,
  type SpawnedHub,
  spawnHub,
} from '../support/process/spawned-hub.js';
import { until } from '../support/until.js';
import { expectOneEntityOf, writeHot, WRITERS } from '../support/graph/writers.js';

let shared: SharedDatabase;
let hubs: SpawnedHub[];

beforeAll(async () => {
  shared = await sharedDatabase();
  hubs = await Promise.all([spawnHub(shared.settings), spawnHub(shared.settings)]);
});
afterAll(() => shared?.drop());

const clientsOfBoth = async (): Promise<Client[]> => clientsOf(hubs, await shared.workspace());

const ask = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await shared.database.pool.query(sql, values)).rows as Row[];

/** The sum of a counter over both processes. */
async function counted(metric: string): Promise<number> {
  const texts = await Promise.all(hubs.map(async hub => (await fetch(`${hub.url}/metrics`)).text()));
  return texts.reduce((sum, text) => sum + Number(new RegExp(`^${metric} (\\d+)`, 'm').exec(text)?.[1] ?? 0), 0);
}

describe('two api processes on one database', () => {
  it('make one entity of 64 concurrent writers, lose nothing, and claim what a sequential replay claims', async () => {
    const clients = await clientsOfBoth();
    const [replay] = await clientsOfBoth();
    await expectOneEntityOf(clients, replay!);
    expect(
      await ask('SELECT count(*)::int AS n FROM entities WHERE workspace_id = $1', [clients[0]!.workspaceId]),
    ).toEqual([{ n: 2 }]);
  });

  it('leave the claims that the whole log gives when both keep writing about the same few', async () => {
    const clients = await clientsOfBoth();
    await writeHot(clients);
    await expectClaimsConsistent(shared.database.pool, clients[0]!.workspaceId);
  });

  it('let one of them work on a request that both are sent with one Idempotency-Key', async () => {
    const clients = await clientsOfBoth();
    const headers = { 'idempotency-key': 'shared' };
    const write = (i: number) => tryRecord(clients[i % 2]!, 'idem@acme.com', [event('call_held')], headers);
    const answers = await Promise.all(WRITERS.map(write));
    const done = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(new Set(done.flatMap(({ body }) => body.observation_ids)).size).toBe(1);
    expect((await write(1)).headers.get('idempotent-replayed')).toBe('true');
    expect((await wholeTimeline(clients[0]!, 'idem@acme.com')).filter(o => o.kind === 'event')).toHaveLength(1);
  });

  it('deliver every event once, whichever process took it', async () => {
    await until('the outbox is empty', async () => (await ask('SELECT 1 FROM outbox LIMIT 1')).length === 0);
    const confirmed = () => counted('rapport_events_delivered_total');
    await until(
      'all are counted',
      async () => (await confirmed()) === (await counted('rapport_events_published_total')),
    );
    const before = await confirmed();
    const clients = await clientsOfBoth();
    await Promise.all(WRITERS.map(i => tryRecord(clients[i % 2]!, `e${i % 5}@acme.com`, [event('call_held')])));
    await until('the outbox is empty', async () => (await ask('SELECT 1 FROM outbox LIMIT 1')).length === 0);
    await until('these are counted too', async () => (await confirmed()) >= before + WRITERS.length);
    expect((await confirmed()) - before).toBe(WRITERS.length);
  });
});
