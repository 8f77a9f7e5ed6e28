import { INSERT_EVENTS } from '#kernel/db/open-transaction.js';
import pg from 'pg';
import { createLogger } from '#kernel/telemetry/logger.js';
import { createWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import { type Hub, startHub } from '../../src/hub.js';
import { AGENTS } from '../fixtures/mcp/agents.js';
import { type FreshDatabase, migratedDatabase } from '../support/database/database.js';
import { event, record, state, tryAccount, tryRecord, wholeTimeline } from '../support/graph/graph-calls.js';
import { type Answer, type Client, clientOf, testEnv } from '../support/hub.js';
import { type PostgresProxy, postgresProxy } from '../support/network/postgres-proxy.js';
import { freshRedis } from '../support/database/redis.js';
import { until } from '../support/until.js';

const TIMEOUT_MS = 1_000;
const MANY = Array.from({ length: 24 }, (_, i) => i);
/** The name of a statement that the hub sends together with COMMIT. */
const WITH_COMMIT = INSERT_EVENTS.name;
/** Whoever takes longer than this counts as hanging. */
const HANGING_MS = 15_000;

let database: FreshDatabase;
let redis: Awaited<ReturnType<typeof freshRedis>>;
let link: PostgresProxy;
let hub: Hub;
let acme: Client;
let direct: pg.Client;

beforeAll(async () => {
  [database, redis] = await Promise.all([migratedDatabase(), freshRedis()]);
  link = await postgresProxy(database.url);
  const settings = { REQUEST_TIMEOUT_MS: String(TIMEOUT_MS), ...(redis && { REDIS_URL: redis.url }) };
  hub = await startHub(testEnv(link.url, settings), createLogger('silent'));
  const { workspace, key } = await createWorkspace(hub.database.work, { name: 'Acme', plan: 'scale' });
  acme = clientOf(hub.url, key, workspace.id);
  direct = new pg.Client(database.url);
  await direct.connect();
  await record(acme, 'ada@acme.com', [state('title', 'CTO')]);
});
afterEach(() => serves());
afterAll(async () => {
  await direct?.end();
  await hub?.close();
  link?.close();
  await Promise.all([database?.drop(), redis?.drop()]);
});

const batch = (id: string) => [0, 1, 2].map(n => event('call_held', { external_id: `${id}-${n}` }));

/** The link is whole again, and so is the service, by itself. */
async function serves(): Promise<void> {
  link.restore();
  await until(
    'the service resumes',
    async () => (await tryRecord(acme, 'probe@acme.com', [event('call_held')])).status === 200,
  );
}

function inTime<T>(answers: readonly Promise<T>[]): Promise<T[]> {
  let timer: NodeJS.Timeout;
  const hanging = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('a request hangs')), HANGING_MS);
  });
  return Promise.race([Promise.all(answers), hanging]).finally(() => clearTimeout(timer));
}

function expectUnavailable(answers: readonly Answer<{ error: string }>[]): void {
  for (const { status, headers, body } of answers) {
    expect({ status, error: body.error }).toEqual({ status: 503, error: 'unavailable' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
}

/** How many rows each batch left behind, in the database itself. */
async function left(ids: readonly string[]): Promise<number[]> {
  const sql = `SELECT count(o.id)::int AS n FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, place)
    LEFT JOIN observations o ON o.external_id LIKE wanted.id || '-%' GROUP BY place ORDER BY place`;
  return (await direct.query<{ n: number }>(sql, [ids])).rows.map(({ n }) => n);
}

/** Nothing of the hub works at the database any more: what was given up has really ended. */
const atRest = () =>
  until('the database is at rest', async () => {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'rapport' AND datname = current_database()
      AND state <> 'idle'`;
    return (await direct.query(sql)).rowCount === 0;
  });

describe.each(['cut', 'stall'] as const)('while the way to the database is %s', kind => {
  it('answers every read and write 503 with Retry-After, changes nothing, and resumes by itself', async () => {
    const { key } = (await createWorkspace(hub.database.work, { name: 'New', plan: 'scale' })) ?? {};
    link[kind]();
    const ids = MANY.map(i => `away-${kind}-${i}`);
    const reads = MANY.map(i => tryAccount<{ error: string }>(acme, i % 2 ? 'ada@acme.com' : 'Ada Lovelace'));
    const writes = ids.map((id, i) => tryRecord(acme, i % 2 ? 'ada@acme.com' : `${id}@acme.com`, batch(id)));
    const unknownKey = tryAccount<{ error: string }>(clientOf(hub.url, key), 'ada@acme.com');
    expectUnavailable(await inTime<Answer<{ error: string }>>([...reads, ...writes, unknownKey]));
    await serves();
    await atRest();
    expect(await left(ids)).toEqual(ids.map(() => 0));
    expect((await tryAccount(acme, 'ada@acme.com')).status).toBe(200);
  });

  it('takes no half of a batch that is under way, and loses none that was acknowledged', async () => {
    const acknowledged = new Set<string>();
    const refused = new Map<string, number>();
    const enough = new AbortController();
    const writer = async (name: number) => {
      for (let n = 0; !enough.signal.aborted; n++) {
        const id = `load-${kind}-${name}-${n}`;
        const { status } = await tryRecord(acme, n % 2 ? 'hot@acme.com' : `w${name}@acme.com`, batch(id));
        if (status === 200) acknowledged.add(id);
        else refused.set(id, status);
      }
    };
    const load = MANY.map(writer);
    await until('there is load', () => acknowledged.size > 50);
    link[kind]();
    await until('all feel it', () => refused.size >= MANY.length);
    link.restore();
    const before = acknowledged.size;
    await until('writes go through again', () => acknowledged.size > before + 50);
    enough.abort();
    await inTime(load);
    await atRest();

    expect(await left([...acknowledged])).toEqual([...acknowledged].map(() => 3));
    expect(new Set(refused.values())).toEqual(new Set([503]));
    for (const rows of await left([...refused.keys()])) expect([0, 3]).toContain(rows);
  });
});

it('an agent gets a tool error that says to try again', async () => {
  for (const [tool, input] of [
    ['get_account', { id: 'ada@acme.com' }],
    ['record', { focus: 'ada@acme.com', observations: [state('title', 'CEO')] }],
  ] as const) {
    await serves();
    // A new key is looked up as the agent connects: one that has to be asked for again is refused before the tool.
    const { key } = await createWorkspace(hub.database.work, { name: 'Asks', plan: 'scale' });
    const agent = await AGENTS[0]![1](new URL('/mcp', hub.url), key);
    link.cut();
    const [answer] = await inTime([agent.call(tool, input)]);
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/again/i) });
    await agent.close();
  }
});

describe('when a connection falls silent in the middle of COMMIT', () => {
  it('its caller gets an error, nothing is written, and later writes of the workspace succeed', async () => {
    const silent: Promise<Answer<{ error: string }>>[] = [];
    for (const lane of ['one', 'two']) {
      const silenced = link.silenceAt(WITH_COMMIT);
      silent.push(tryRecord(acme, `silent-${lane}@acme.com`, batch(`silent-${lane}`)));
      await silenced;
    }
    expectUnavailable(await inTime(silent));
    const resumed = async () => (await tryRecord(acme, 'behind@acme.com', [event('call_held')])).status === 200;
    await until('writes are served over other connections', resumed, 6_000);
    await until('the silent transactions are gone', async () =>
      (await left(['silent-one', 'silent-two'])).every(n => n === 0),
    );
  });

  it('does not take the word of a pooler that its server is gone for a word of the server', async () => {
    const givenUp = link.giveUpAfterCommitOf(WITH_COMMIT);
    const received = await tryRecord(acme, 'given-up@acme.com', batch('given-up'));
    await givenUp;
    expectUnavailable([received]);
    expect(received.body.detail).toContain('did not confirm');
    expect(await left(['given-up'])).toEqual([3]);
  });

  it('never settles a write whose COMMIT went out and whose answer was lost twice', async () => {
    const cut = link.cutAfterCommitOf(WITH_COMMIT);
    const headers = { 'idempotency-key': 'lost-answer' };
    const lost = await tryRecord(acme, 'lost@acme.com', batch('lost'), headers);
    await cut;
    expectUnavailable([lost]);
    expect(lost.body.detail).toContain('did not confirm');
    await serves();
    await atRest();
    const again = await tryRecord(acme, 'lost@acme.com', batch('lost'), headers);
    expect({ status: again.status, recorded: again.body.recorded }).toEqual({ status: 200, recorded: 3 });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await left(['lost'])).toEqual([3]);
    expect((await wholeTimeline(acme, 'lost@acme.com')).filter(o => o.kind === 'event')).toHaveLength(3);
  });
});
