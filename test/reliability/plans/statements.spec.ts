import pg from 'pg';
import { emptyState } from '#domain/claims/property-state.js';
import { RecordBatchWriter } from '#graph/observations/record-batch.writer.js';
import { ObservationsService } from '#graph/observations/observations.service.js';
import { readRecordRequest } from '#graph/observations/record-call.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { account, event, record, state, tryAccount, tryRecord } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { listenTo, type Sent, type StatementLog } from '../../support/database/statements.js';
import { until } from '../../support/until.js';

const FILLED = 20_000;

let hub: TestHub;
let acme: Client;
let log: StatementLog;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
  log = listenTo(hub.database.pool);
  acme = await hub.workspace();
  await fill(acme.workspaceId);
  await record(acme, 'ada@acme.com', three());
  await record(acme, 'bo@acme.com', three());
});
afterAll(() => hub.end());

/** The state of a claim that nothing was said about yet. */
const nothingSaid = JSON.stringify(emptyState());
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
    INSERT INTO claims (workspace_id, entity_id, property, state) SELECT '${workspace}', id, 'title', '${nothingSaid}' FROM made;
    INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at, external_id, digest)
      SELECT '${workspace}', gen_random_uuid(), id, 'state', 'title', '"x"', 'crm', 'sync', now() - n * interval '1 minute', now(), 'x' || n || p, ''
      FROM made, generate_series(1, 2) AS p;
    INSERT INTO outbox (workspace_id, id, events, event_count, published_at) SELECT '${workspace}', id, '[]', 0, now() FROM made;
    ANALYZE entities; ANALYZE identifiers; ANALYZE claims; ANALYZE observation_log; ANALYZE outbox`);
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
  it('recording about a known person takes seven, for three observations and for a thousand', async () => {
    expect(counts(await statementsOf(() => record(acme, 'ada@acme.com', three())))).toEqual([7]);
    const thousand = Array.from(
      { length: 1000 },
      (_, i) => [state(`fact_${i % 40}`, i), event('page_visited')][i % 2]!,
    );
    expect(counts(await statementsOf(() => record(acme, 'bo@acme.com', thousand)))).toEqual([7]);
  });

  it('a call waits for three round trips, for four if an entity is new', async () => {
    for (const entity of ['ada@acme.com', 'n2@filled.com']) {
      await statementsOf(() => record(acme, entity, three()));
      expect(log.roundTripsOf('rapport_app')).toBe(3);
    }
    await statementsOf(() => record(acme, 'ada@acme.com', [state('title', 'CTO', { external_id: 'title-1' })]));
    expect(log.roundTripsOf('rapport_app')).toBe(3);
    await statementsOf(() => record(acme, 'counted@gmail.com', three()));
    expect(log.roundTripsOf('rapport_app')).toBe(4);
    await statementsOf(() => account(acme, 'ada@acme.com'));
    expect(log.roundTripsOf('rapport_app')).toBe(3);
  });

  it('66 calls at once share four transactions, each with as many as one call takes', async () => {
    const service = hub.app.get(ObservationsService, { strict: false });
    // Each transaction is about others, else one could come late behind another that began after it, and read the history.
    const focusOf = (i: number) => `p${[1, 17, 34].filter(first => i >= first).length}-${i % 2}@acme.com`;
    for (const focus of new Set(Array.from({ length: 66 }, (_, i) => focusOf(i)))) await record(acme, focus, three());
    const call = (i: number) => readRecordRequest({ focus: focusOf(i), observations: three() });
    const together = () => Promise.all(Array.from({ length: 66 }, (_, i) => service.record(acme.workspaceId, call(i))));
    expect(counts(await statementsOf(together))).toEqual([7, 7, 7, 7]);
  });

  it('a batch about somebody new and others, with an Idempotency-Key, takes nine', async () => {
    const writer = hub.app.get(RecordBatchWriter, { strict: false });
    const calls = ['n3@filled.com', 'n4@filled.com', 'mixed@acme.com', 'mixed@gmail.com'].map((focus, i) => ({
      request: readRecordRequest({ focus, observations: three() }),
      idempotencyKey: i === 0 ? { key: 'mixed', requestHash: Buffer.from('mixed') } : undefined,
    }));
    const work = () =>
      hub.database.work.run(acme.workspaceId, tx => writer.write(tx, calls), { useGenericPlans: true });
    expect(counts(await statementsOf(work))).toEqual([9]);
    for (const focus of ['n3@filled.com', 'mixed@gmail.com'])
      expect((await account(acme, focus)).claims['title']).toMatchObject({ value: 'CTO' });
  });

  it.each<[string, number, () => Promise<unknown>]>([
    ['about a person of another process', 7, () => record(acme, 'n1@filled.com', three())],
    ['what bears an external id', 7, () => record(acme, 'ada@acme.com', [state('title', 'CFO', { external_id: 'x' })])],
    ['facts alone', 7, () => record(acme, 'ada@acme.com', [state('title', 'CEO'), state('phone', '1')])],
    [
      'a late arrival',
      8,
      () => record(acme, 'ada@acme.com', [state('title', 'Intern', { observed_at: '2020-01-01' })]),
    ],
    ['somebody new', 8, () => record(acme, 'new@gmail.com', three())],
    ['somebody new with a company', 8, () => record(acme, 'new@acme.com', three())],
    ['somebody new at a company that is new', 8, () => record(acme, 'new@new-company.com', three())],
    [
      'somebody new with a second address',
      8,
      () => record(acme, 'linkedin.com/in/x', [...three(), state('email', 'x@acme.com')]),
    ],
    ['an Idempotency-Key', 8, () => tryRecord(acme, 'ada@acme.com', three(), { 'idempotency-key': 'counted' })],
    ['a replay', 4, () => tryRecord(acme, 'ada@acme.com', three(), { 'idempotency-key': 'counted' })],
  ])('recording %s takes %i', async (_, most, work) => {
    expect(counts(await statementsOf(work))).toEqual([most]);
  });

  it('reading an account takes nine, also by name, and ten for another time', async () => {
    await record(acme, 'ada@acme.com', [state('name', 'Ada Counted')]);
    for (const id of ['ada@acme.com', 'Ada Counted']) {
      expect(counts(await statementsOf(() => account(acme, id)))).toEqual([9]);
    }
    expect(counts(await statementsOf(() => account(acme, 'ada@acme.com', { as_of: '2026-01-01' })))).toEqual([10]);
    expect(counts(await statementsOf(() => tryAccount(acme, 'nobody@acme.com')))).toEqual([4]);
  });

  it('a key that is known asks the database nothing', async () => {
    // A key of its own: the key of `acme` may have been looked up so long ago that it is due again.
    const fresh = await hub.workspace();
    await record(fresh, 'ada@acme.com', three());
    log.clear();
    await Promise.all(Array.from({ length: 20 }, () => account(fresh, 'ada@acme.com')));
    const lookups = log
      .of('rapport_system')
      .flat()
      .filter(({ sql }) => sql.includes('api_keys') && sql.includes('SELECT'));
    expect(lookups).toEqual([]);
  });
});

/** The plan of a statement with the values that it was sent with. */
async function explainPlan(tx: Transaction, { sql, values }: Sent): Promise<string> {
  const [plan] = await tx.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
  return JSON.stringify(plan!['QUERY PLAN']);
}

async function expectNoScan(tx: Transaction, statements: readonly Sent[]): Promise<void> {
  for (const statement of statements) {
    const { sql } = statement;
    const plan = expect.not.stringMatching(/"Node Type":"Seq Scan"/) as string;
    expect({ sql, plan: await explainPlan(tx, statement) }).toEqual({ sql, plan });
  }
}

/** Fails unless the look-up by name among these statements takes the index of names of each type. */
async function expectNameIndexes({ database }: TestHub, workspace: string, sent: readonly Sent[]): Promise<void> {
  const byName = sent.filter(({ sql }) => sql.includes('name_key'));
  expect(byName).toHaveLength(1);
  const plan = await database.work.run(workspace, tx => explainPlan(tx, byName[0]!));
  for (const index of ['entities_name', 'entities_company_name'])
    expect(plan).toMatch(new RegExp(`"Index Name":"${index}"[^{}]*"Index Cond":"[^"]*name_key`));
}

const isWork = ({ sql }: Sent) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(sql) && !sql.includes('set_config');

describe('no statement of a hot path scans a table', () => {
  const paths: [string, () => Promise<unknown>][] = [
    ['recording', () => record(acme, 'n7@filled.com', three())],
    [
      'recording a late arrival',
      () => record(acme, 'n7@filled.com', [state('title', 'x', { observed_at: '2020-01-01' })]),
    ],
    ['recording somebody new', () => record(acme, 'brand-new@acme.com', [...three(), state('name', 'Brand New')])],
    [
      'recording a duplicate',
      () => record(acme, 'n8@filled.com', [state('title', 'x', { source: 'crm', external_id: 'x81' })]),
    ],
    ['recording once', () => tryRecord(acme, 'n9@filled.com', three(), { 'idempotency-key': 'planned' })],
    ['reading by address', () => account(acme, 'ada@acme.com')],
    ['reading by name', () => account(acme, 'Ada Counted')],
    [
      'naming a company, and reading it by name',
      async () => {
        await record(acme, 'counted.com', [state('name', 'Counted Company')]);
        await account(acme, 'Counted Company');
      },
    ],
    ['reading the past', () => account(acme, 'ada@acme.com', { as_of: '2026-06-01', known_at: '2026-06-01' })],
  ];

  it.each(paths)('%s', async (_, work) => {
    const [sent] = await statementsOf(work);
    const hot = sent!.filter(isWork);
    expect(hot.length).toBeGreaterThanOrEqual(4);
    await hub.database.work.run(acme.workspaceId, tx => expectNoScan(tx, hot));
  });

  it('a name is looked up in the index of people and in that of companies', async () => {
    const [sent] = await statementsOf(() => account(acme, 'Ada Counted'));
    await expectNameIndexes(hub, acme.workspaceId, sent!);
  });

  it('carrying events', async () => {
    log.clear();
    await record(acme, 'ada@acme.com', three());
    const ofOutbox = () =>
      log
        .of('rapport_system')
        .flat()
        .filter(({ sql }) => isWork({ sql, values: [] }) && sql.includes('outbox'));
    const kinds = ['SELECT', 'UPDATE', 'DELETE'];
    await until('an event has been carried', () =>
      kinds.every(kind => ofOutbox().some(({ sql }) => sql.startsWith(kind))),
    );
    const hot = ofOutbox();
    await hub.database.work.system(tx => expectNoScan(tx, hot));
  });
});

describe('a look-up by name', () => {
  let young: TestHub;
  let client: Client;

  beforeEach(async () => {
    young = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
    client = await young.workspace();
  });
  afterEach(() => young.end());

  /** Adds entities with a name, or without one, as most companies are at first. */
  async function add(type: 'person' | 'company', count: number, name: string | null): Promise<void> {
    await young.database.pool.query(
      `INSERT INTO entities (workspace_id, id, type, name, name_key)
       SELECT $1, gen_random_uuid(), $2, $3 || n, lower($3) || n FROM generate_series(1, $4::int) AS n`,
      [client.workspaceId, type, name, count],
    );
  }

  it.each([0, 1, 2, 60])(
    'takes the indexes of names with statistics that know %i companies and no company name',
    async known => {
      await add('person', 2_000, 'Person ');
      await add('company', known, null);
      await young.database.pool.query('ANALYZE entities');
      await add('company', 100, 'Company ');
      const log = listenTo(young.database.pool);
      await account(client, 'Company 7');
      const [sent] = log.of('rapport_app');
      await expectNameIndexes(young, client.workspaceId, sent!);
    },
  );
});

describe('a plan that is made while the tables are empty', () => {
  /** The plan that the server keeps for all values. */
  async function keptPlanOf(tx: Transaction, { sql, values }: Sent): Promise<string> {
    const nothing = values.map(() => 'NULL').join();
    await tx.query(`PREPARE kept AS ${sql}`);
    const [plan] = await tx.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON) EXECUTE kept(${nothing})`);
    await tx.query('DEALLOCATE kept');
    return JSON.stringify(plan!['QUERY PLAN']);
  }

  let young: TestHub;
  afterAll(() => young.end());

  it('looks rows up by their whole key, so that it still serves when they have grown', async () => {
    young = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
    const sentTo = listenTo(young.database.pool);
    const client = await young.workspace();
    const attach = () => client.post('/v2/lead-lists/attach', { name: 'Young', rows: [{ email: 'ada@acme.com' }] });
    await record(client, 'ada@acme.com', three());
    await attach();
    const { entity_id } = await record(client, 'bo@acme.com', three());
    sentTo.clear();
    await record(client, 'ada@acme.com', three());
    await record(client, entity_id, three());
    await record(client, entity_id, [state('title', 'Intern', { observed_at: '2001-01-01' })]);
    await account(client, 'ada@acme.com');
    await attach();
    await client.post('/v2/dedup', { rows: [{ email: 'ada@acme.com' }] });
    await client.post('/v2/score', { identifier: 'ada@acme.com' });
    const hot = sentTo.of('rapport_app').flat().filter(isWork);
    expect(hot.length).toBe(4 + 4 + 5 + 6 + 4 + 2 + 5);
    await young.database.work.run(
      client.workspaceId,
      async tx => {
        for (const statement of hot) {
          const plan = await keptPlanOf(tx, statement);
          const found = [...plan.matchAll(/"Index Name":"(\w+)".*?"Index Cond":"(.*?)"/g)];
          const byWorkspaceAlone = found.flatMap(([, index, condition]) =>
            condition!.includes(' AND ') ? [] : [index!],
          );
          expect({ sql: statement.sql, byWorkspaceAlone }).toEqual({ sql: statement.sql, byWorkspaceAlone: [] });
          expect(plan).not.toMatch(/"Node Type":"(Seq|Bitmap Heap) Scan"|claims_text_value"|entities_name"/);
        }
      },
      { useGenericPlans: true },
    );
  });

  it('carries events by index, however few were there', async () => {
    const sentTo = listenTo(young.database.pool);
    const client = await young.workspace();
    await record(client, 'ada@acme.com', three());
    const ofOutbox = () =>
      sentTo.of('rapport_system').filter(sent => sent.some(({ sql }) => /^\w+ .*outbox/s.test(sql)));
    await until('the event is delivered', () =>
      ofOutbox().some(sent => sent.some(({ sql }) => sql.startsWith('DELETE'))),
    );
    for (const sent of ofOutbox()) {
      expect(sent.some(({ sql }) => sql.includes('enable_seqscan'))).toBe(true);
      const carries = sent.filter(statement => isWork(statement) && statement.sql.includes('outbox'));
      const plansOf = async (tx: Transaction) => {
        for (const statement of carries) expect(await keptPlanOf(tx, statement)).not.toMatch(/"Node Type":"Seq Scan"/);
      };
      await young.database.work.system(plansOf, { useGenericPlans: true });
    }
  });
});
