import { explainPlan, type PlanNode } from '../../support/database/query-plan.js';
import { listenTo, type StatementLog } from '../../support/database/statements.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

const OBSERVATIONS = 30_000;
/** The rows that a page examines, and the first of the next position. */
const MAX_READ = 5_001;

let hub: TestHub;
let client: Client;
let log: StatementLog;

/** Two workspaces with many observations, each in a transaction position of its own. */
beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
  client = await hub.workspace();
  for (const { workspaceId } of [client, await hub.workspace()]) {
    await hub.database.pool.query(
      `WITH person AS (
         INSERT INTO entities (workspace_id, id, type) VALUES ($1, gen_random_uuid(), 'person') RETURNING id
       )
       INSERT INTO observations (workspace_id, id, entity_id, kind, property, source, method, observed_at, recorded_at, digest, commit_position)
       SELECT $1, gen_random_uuid(), person.id, 'event', 'interaction.call_held', 'agent', 'api', now(), now(), '', i
       FROM person, generate_series(1, $2::int) AS i`,
      [workspaceId, OBSERVATIONS],
    );
  }
  await hub.database.pool.query('ANALYZE entities, observation_log');
  log = listenTo(hub.database.pool);
});
afterAll(() => hub?.end());

const at = (position: number) => Buffer.from(`${position}.00000000-0000-0000-0000-000000000000`).toString('base64url');

async function explainChanges(query: string): Promise<readonly PlanNode[]> {
  log.clear();
  expect((await client.get(`/v2/changes?${query}`)).status).toBe(200);
  const sent = log
    .of('rapport_app')
    .flat()
    .find(({ sql }) => sql.includes('examined'))!;
  return explainPlan(hub.database, sent, client.workspaceId);
}

const readsLog = (node: PlanNode) => node['Index Name'] === 'observations_changes';

it.each([0, OBSERVATIONS / 2, OBSERVATIONS - 100])('reads a page after position %d from the index', async position => {
  const plan = await explainChanges(`after=${at(position)}`);
  const scan = plan.find(readsLog);
  expect(scan?.['Index Cond']).toContain('commit_position');
  expect(scan!['Actual Rows']! * scan!['Actual Loops']!).toBeLessThanOrEqual(MAX_READ);
  const fetched = plan.filter(node => node['Relation Name'] === 'observation_log' && !readsLog(node));
  for (const node of fetched) expect(node['Actual Rows']! * node['Actual Loops']!).toBeLessThanOrEqual(101);
  expect(plan.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name'])).not.toContain(
    'observation_log',
  );
});

it('reads nothing when nothing is new', async () => {
  const scan = (await explainChanges(`after=${at(OBSERVATIONS + 1)}`)).find(readsLog);
  expect(scan?.['Actual Rows']).toBe(0);
});
