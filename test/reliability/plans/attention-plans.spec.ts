import type { AttentionResponse } from '#graph/attention/attention.presenter.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { explainPlan, type PlanNode } from '../../support/database/query-plan.js';
import { listenTo, type Sent, type StatementLog } from '../../support/database/statements.js';

const ENTITIES = 30_000;

let hub: TestHub;
let log: StatementLog;
let big: Client;
let collected: Client;

/** Everybody has a stage, an old fact, a commitment and a dispute, was met, is in a list and was heard of at some time. */
const fill = [
  `INSERT INTO entities (workspace_id, id, type, name, last_activity_at)
   SELECT $1, gen_random_uuid(), CASE WHEN n % 5 = 0 THEN 'company' ELSE 'person' END, 'P' || n,
          CASE WHEN n % 4 > 0 THEN now() - make_interval(hours => n % 8000) END FROM generate_series(1, ${ENTITIES}) AS n`,
  `INSERT INTO claims (workspace_id, entity_id, property, state, value, text_value, confidence, epistemic_class, supported_at)
   SELECT workspace_id, id, property, '{"tracks":[{"newest":{"id":"x"},"history":[]}]}', to_jsonb(said), said, 0.75, class,
          now() - interval '170 days'
   FROM entities, (VALUES ('stage', 'demo', 'asserted'), ('pain', 'churn', 'contested'), ('title', 'vp', 'asserted'),
                          ('action_item.1', 'call', 'asserted')) AS fact (property, said, class) WHERE workspace_id = $1`,
  `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at,
                             digest)
   SELECT workspace_id, gen_random_uuid(), id, 'event', 'interaction.' || made, jsonb_build_object('start', now() + interval '1 day'),
          'agent', 'api', last_activity_at, now(), ''
   FROM entities, unnest(ARRAY['meeting_scheduled', 'email_sent']) AS made
   WHERE workspace_id = $1 AND last_activity_at IS NOT NULL`,
  `INSERT INTO lead_lists (workspace_id, id, name, source) VALUES ($1, $1, 'all', 'manual')`,
  `INSERT INTO leads (workspace_id, id, list_id, entity_id, play, priority, scored_at)
   SELECT $1, gen_random_uuid(), $1, id, 'work now', 50, now() FROM entities WHERE workspace_id = $1`,
];

/** Somebody was heard of lately, while of most people elsewhere nobody knows. */
const fillHeard = `
  INSERT INTO entities (workspace_id, id, type, name, last_activity_at)
  SELECT $1, gen_random_uuid(), 'person', 'H' || n, now() - make_interval(mins => n) FROM generate_series(1, 5000) AS n`;
const fillUnheard = `
  INSERT INTO entities (workspace_id, id, type, name)
  SELECT $1, gen_random_uuid(), 'person', 'U' || n FROM generate_series(1, ${2 * ENTITIES}) AS n`;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
  log = listenTo(hub.database.pool);
  big = await hub.workspace();
  collected = await hub.workspace();
  for (const sql of fill) await hub.database.pool.query(sql, [big.workspaceId]);
  await hub.database.pool.query(fillHeard, [collected.workspaceId]);
  await hub.database.pool.query(fillUnheard, [(await hub.workspace()).workspaceId]);
  await hub.database.pool.query('ANALYZE');
});
afterAll(() => hub.end());

async function sentBy(work: () => Promise<unknown>): Promise<readonly Sent[]> {
  log.clear();
  await work();
  const sent = log.of('rapport_app').flat();
  return sent.filter(({ sql }) => !/^(BEGIN|COMMIT)|set_config/.test(sql.trim()));
}

const rowsOf = (node: PlanNode) =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 1);

async function scansOf(statement: Sent, { workspaceId }: Client): Promise<PlanNode[]> {
  return (await explainPlan(hub.database, statement, workspaceId)).filter(node => node['Relation Name'] !== undefined);
}

it('reads what a page needs and no table through, in two statements that write nothing', async () => {
  const sent = await sentBy(async () => {
    const { status, body } = await big.get<AttentionResponse>('/v2/attention');
    expect({ status, items: body.items.length }).toEqual({ status: 200, items: 25 });
  });
  expect(sent).toHaveLength(2);
  expect(sent.filter(({ sql }) => /\b(?:INSERT|UPDATE|DELETE)\b|pg_advisory/.test(sql))).toEqual([]);
  let read = 0;
  for (const statement of sent) {
    const tables = await scansOf(statement, big);
    const through = tables.filter(node => node['Node Type'] === 'Seq Scan' && rowsOf(node) > 100);
    expect(through).toEqual([]);
    read += tables.reduce((sum, node) => sum + rowsOf(node), 0);
  }
  expect(read).toBeLessThan(ENTITIES);
});

it('does not look everybody over for those who were never heard of, however many there are elsewhere', async () => {
  for (const statement of await sentBy(() => collected.get('/v2/attention'))) {
    for (const node of await scansOf(statement, collected)) expect(rowsOf(node)).toBeLessThan(1000);
  }
});

it.each([
  'going_dark',
  'decayed_fact',
  'upcoming_meeting',
  'open_commitment',
  'contested_claim',
  'work_now',
  'play_changed',
])('looks for %s by an index', async kinds => {
  const sent = await sentBy(() => big.get(`/v2/attention?kinds=${kinds}`));
  for (const statement of sent) {
    const scans = (await explainPlan(hub.database, statement, big.workspaceId)).filter(
      node => node['Node Type'] === 'Seq Scan',
    );
    expect(scans.filter(node => rowsOf(node) > 100)).toEqual([]);
  }
});
