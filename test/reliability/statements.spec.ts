import pg from 'pg';
import { account, event, record, state, tryAccount, tryRecord } from '../support/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { listenTo, type Sent, type StatementLog } from '../support/statements.js';
import { until } from '../support/until.js';

const FILLED = 20_000;

let hub: TestHub;
let acme: Client;
let log: StatementLog;

beforeAll(async () => {
  hub = await startTestHub();
  log = listenTo(hub.database.pool);
  acme = await hub.workspace();
  await fill(acme.workspaceId);
  await record(acme, 'ada@acme.com', three());
  await record(acme, 'bo@acme.com', three());
});
afterAll(() => hub.end());

const three = () => [state('title', 'CTO'), state('phone', '+49 30 1234'), event('email_replied')];

/** Twenty thousand people of one workspace, each with an address, a name, a claim and two observations. */
async function fill(workspace: string): Promise<void> {
  const client = new pg.Client(hub.database.url);
  await client.connect();
  await client.query(`
    CREATE TEMP TABLE made AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${FILLED}) AS n;
    INSERT INTO entities (workspace_id, id, type, name, name_key) SELECT '${workspace}', id, 'person', 'N ' || n, 'n ' || n FROM made;
    INSERT INTO identifiers (workspace_id, kind, key, value, entity_id)
      SELECT '${workspace}', 'email', 'n' || n || '@filled.com', 'n' || n || '@filled.com', id FROM made;
    INSERT INTO claims (workspace_id, entity_id, property, state) SELECT '${workspace}', id, 'title', '{}' FROM made;
    INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at, external_id, digest)
      SELECT '${workspace}', gen_random_uuid(), id, 'state', 'title', '"x"', 'crm', 'sync', now() - n * interval '1 minute', now(), 'x' || n || p, ''
      FROM made, generate_series(1, 2) AS p;
    ANALYZE entities; ANALYZE identifiers; ANALYZE claims; ANALYZE observations; ANALYZE outbox`);
  await client.end();
}

/** The statements of the tenant transactions that `work` causes. */
async function statementsOf(work: () => Promise<unknown>): Promise<(readonly Sent[])[]> {
  log.clear();
  await work();
  return [...log.of('rapport_app')];
}

const counts = (transactions: readonly (readonly Sent[])[]) => transactions.map(sent => sent.length);

describe('statements of a call', () => {
  it('recording about somebody known takes nine, for three observations and for a thousand', async () => {
    expect(counts(await statementsOf(() => record(acme, 'ada@acme.com', three())))).toEqual([9]);
    const thousand = Array.from({ length: 1000 }, (_, i) => [state(`fact_${i % 40}`, i), event('page_visited')][i % 2]!);
    expect(counts(await statementsOf(() => record(acme, 'bo@acme.com', thousand)))).toEqual([9]);
  });

  it('64 calls that arrive together take as many as one', async () => {
    const blocker = new pg.Client(hub.database.url);
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE observations IN ACCESS EXCLUSIVE MODE');
    const transactions = await statementsOf(async () => {
      const first = ['ada@acme.com', 'bo@acme.com'].map(who => record(acme, who, three()));
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
      await until('both lanes wait', async () => (await blocker.query(waiting)).rowCount === 2);
      const behind = Array.from({ length: 64 }, (_, i) => record(acme, i % 2 ? 'ada@acme.com' : 'bo@acme.com', three()));
      await account(acme, 'ada@acme.com').catch(() => undefined);
      await blocker.query('COMMIT');
      await Promise.all([...first, ...behind]);
    });
    await blocker.end();
    const writes = transactions.filter(sent => sent.some(({ sql }) => sql.includes('INSERT INTO observations')));
    expect(counts(writes)).toEqual([9, 9, 9]);
  });

  it('an Idempotency-Key takes two more, a late arrival one, somebody new two, an alias one', async () => {
    const headers = { 'idempotency-key': 'counted' };
    const late = [state('title', 'Intern', { observed_at: '2020-01-01' })];
    const [count] = [async (work: () => Promise<unknown>) => counts(await statementsOf(work))];
    expect(await count(() => tryRecord(acme, 'ada@acme.com', three(), headers))).toEqual([11]);
    expect(await count(() => record(acme, 'ada@acme.com', [...late, event('call_held')]))).toEqual([10]);
    expect(await count(() => record(acme, 'new@acme.com', three()))).toEqual([11]);
    expect(await count(() => record(acme, 'linkedin.com/in/ada', [...three(), state('email', 'ada@alias.com')]))).toEqual([12]);
  });

  it('reading an account takes eight, also by name, and nine for another time', async () => {
    await record(acme, 'ada@acme.com', [state('name', 'Ada Counted')]);
    for (const id of ['ada@acme.com', 'Ada Counted']) {
      expect(counts(await statementsOf(() => account(acme, id)))).toEqual([8]);
    }
    expect(counts(await statementsOf(() => account(acme, 'ada@acme.com', { as_of: '2026-01-01' })))).toEqual([9]);
    expect(counts(await statementsOf(() => tryAccount(acme, 'nobody@acme.com')))).toEqual([4]);
  });

  it('a key that is known asks the database nothing', async () => {
    await account(acme, 'ada@acme.com');
    log.clear();
    await Promise.all(Array.from({ length: 20 }, () => account(acme, 'ada@acme.com')));
    const lookups = log.of('rapport_system').flat().filter(({ sql }) => sql.includes('api_keys') && sql.includes('SELECT'));
    expect(lookups).toEqual([]);
  });
});

/** The plan of a statement, as the app in the tenant context, with the values that it was sent with. */
async function planOf({ sql, values }: Sent): Promise<string> {
  return hub.database.work.run(acme.workspaceId, async tx => {
    const [plan] = await tx.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
    return JSON.stringify(plan!['QUERY PLAN']);
  });
}

const isWork = ({ sql }: Sent) => /^\s*(SELECT|INSERT|UPDATE|WITH)/.test(sql) && !sql.includes('set_config');

describe('no statement of a hot path scans a table', () => {
  const paths: [string, () => Promise<unknown>][] = [
    ['recording', () => record(acme, 'n7@filled.com', three())],
    ['recording a late arrival', () => record(acme, 'n7@filled.com', [state('title', 'x', { observed_at: '2020-01-01' })])],
    ['recording somebody new', () => record(acme, 'brand-new@acme.com', [...three(), state('name', 'Brand New')])],
    ['recording a duplicate', () => record(acme, 'n8@filled.com', [state('title', 'x', { source: 'crm', external_id: 'x81' })])],
    ['recording once', () => tryRecord(acme, 'n9@filled.com', three(), { 'idempotency-key': 'planned' })],
    ['reading by address', () => account(acme, 'ada@acme.com')],
    ['reading by name', () => account(acme, 'Ada Counted')],
    ['reading the past', () => account(acme, 'ada@acme.com', { as_of: '2026-06-01', known_at: '2026-06-01' })],
  ];

  it.each(paths)('%s', async (_, work) => {
    const [sent] = await statementsOf(work);
    const hot = sent!.filter(isWork);
    expect(hot.length).toBeGreaterThanOrEqual(4);
    for (const statement of hot) expect({ sql: statement.sql, plan: await planOf(statement) }).toEqual({
      sql: statement.sql,
      plan: expect.not.stringMatching(/"Node Type":"Seq Scan"/),
    });
  });
});
