import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { event, record, state } from '../../support/graph/graph-calls.js';
import { queryOf } from '../../support/graph/query.js';
import { explainPlan, type PlanNode } from '../../support/database/query-plan.js';
import { listenTo, type StatementLog } from '../../support/database/statements.js';

let hub: TestHub;
let log: StatementLog;
let acme: Client;

/** A log of 60 000 observations of thirty properties, next to another workspace with as many. */
beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
  log = listenTo(hub.database.pool);
  acme = await hub.workspace();
  const other = await hub.workspace();
  for (const client of [acme, other]) {
    const { entity_id } = await record(client, 'ada@acme.com', [state('title', 'CTO'), event('call_held')]);
    await hub.database.pool.query(
      `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at, digest)
       SELECT $1, gen_random_uuid(), $2, CASE WHEN n % 30 < 20 THEN 'event' ELSE 'state' END,
              CASE WHEN n % 30 < 20 THEN 'interaction.type_' ELSE 'fact_' END || n % 30, '{"summary":"x"}', 'agent', 'api',
              now() - n * interval '1 minute', now(), '\\x00'
       FROM generate_series(1, 60000) AS n`,
      [client.workspaceId, entity_id],
    );
  }
  await hub.database.pool.query('ANALYZE');
});
afterAll(() => hub.end());

/** Every statement of a query that reads the log, as it was sent, and what it read of it. */
async function readsOf(body: object): Promise<{ plans: PlanNode[]; statements: number }> {
  log.clear();
  await queryOf(acme, body);
  const sent = log.of('rapport_app').flat();
  const plans: PlanNode[] = [];
  for (const each of sent)
    if (each.sql.includes('FROM observation_log'))
      plans.push(...(await explainPlan(hub.database, each, acme.workspaceId)));
  return { plans: plans.filter(node => node['Relation Name'] === 'observation_log'), statements: sent.length };
}

it.each([
  ['everything', {}],
  ['events', { scope: { kind: 'event' } }],
  ['one property, oldest first', { scope: { property: 'fact_25', order: 'asc' } }],
  ['a time', { scope: { property: 'interaction.', from: '2026-01-01' } }],
  ['entities', { scope: { property: 'interaction.type_1' }, return: 'entities' }],
  [
    'entities without something',
    { scope: { property: 'fact_21' }, without: { property: 'nothing' }, return: 'entities' },
  ],
])('%s is read from the index of properties by time, no more than is counted', async (_, body) => {
  const { plans } = await readsOf(body);
  expect(plans.length).toBeGreaterThan(0);
  for (const node of plans) {
    // Some versions of PostgreSQL go to a handful of rows by a bitmap of the index: what counts is how many are read.
    expect(node['Node Type']).not.toMatch(/Seq/);
    expect((node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1)).toBeLessThanOrEqual(2001);
  }
  const indexes = new Set(plans.map(node => node['Index Name']));
  expect(indexes).toContain('observations_by_property');
  const read = plans.reduce((sum, node) => sum + (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1), 0);
  expect(read).toBeLessThan(8_000);
});

it('what comes late is folded from the rows of its property, found in the index among all the others', async () => {
  await record(acme, 'ada@acme.com', [state('fact_25', 'in time')]);
  log.clear();
  await record(acme, 'ada@acme.com', [state('fact_25', 'late', { observed_at: '2001-01-01' })]);
  const [reread, ...others] = log
    .of('rapport_app')
    .flat()
    .filter(({ sql }) => sql.includes('o.property = property_name'));
  expect(others).toEqual([]);
  const plan = await explainPlan(hub.database, reread!, acme.workspaceId);
  const [node, ...more] = plan.filter(each => each['Relation Name'] === 'observation_log');
  expect(more).toEqual([]);
  expect((node!['Actual Rows'] ?? 0) * (node!['Actual Loops'] ?? 1)).toBe(2002);
  expect(node!['Rows Removed by Filter'] ?? 0).toBe(0);
  expect(plan.map(each => each['Index Name'])).toContain('observations_timeline');
});

it('takes the same few statements however much there is', async () => {
  const counts: number[] = [];
  for (const body of [
    { scope: { property: 'nothing' } },
    { scope: { property: 'title' } },
    {},
    { group_by: ['month'] },
    { summarize: 'extractive', scope: { since_days: 3 } },
  ])
    counts.push((await readsOf(body)).statements);
  expect(counts).toEqual([4, 6, 6, 7, 10]);
});

it('says that it counted a sample', async () => {
  const answer = await queryOf(acme, {});
  expect(answer).toMatchObject({ matched: 2000, sampled: true, returned: 50, has_more: true });
});
