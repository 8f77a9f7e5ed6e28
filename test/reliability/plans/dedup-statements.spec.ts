import type { DedupResponse } from '#graph/dedup/dedup.presenter.js';
import { event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { listWith } from '../../support/graph/lead-rows.js';
import { explainPlan } from '../../support/database/query-plan.js';
import { listenTo, type Sent, type StatementLog } from '../../support/database/statements.js';

let hub: TestHub;
let acme: Client;
let log: StatementLog;

const known = Array.from({ length: 60 }, (_, i) => `p${i}@acme.com`);

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
  log = listenTo(hub.database.pool);
  acme = await hub.workspace();
  const kinds = [event('email_bounced'), event('email_replied'), state('title', 'CTO')];
  await Promise.all(known.map((email, i) => record(acme, email, [kinds[i % 3]!])));
});
afterAll(() => hub.end());

/** What is sent besides BEGIN with its settings and COMMIT. */
async function sentBy(rows: readonly object[]): Promise<{ sent: Sent[]; body: DedupResponse }> {
  log.clear();
  const { status, body } = await acme.post<DedupResponse>('/v2/dedup', { rows });
  expect(status).toBe(200);
  const sent = log.of('rapport_app').flat();
  return { sent: sent.filter(({ sql }) => !/^(BEGIN|COMMIT)|set_config/.test(sql.trim())), body };
}

const mixed = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ email: known[i] ?? `n${i}@new.com`, linkedin_url: `linkedin.com/in/x${i}` }));

it('takes three statements for one row and for five thousand, and writes nothing', async () => {
  for (const count of [1, 1000, 5000]) {
    const { sent, body } = await sentBy(mixed(count));
    expect(body.summary.total).toBe(count);
    expect(sent).toHaveLength(3);
    expect(sent.filter(({ sql }) => /INSERT|UPDATE|DELETE|pg_advisory/.test(sql))).toEqual([]);
  }
});

it('takes one when nobody is known', async () => {
  expect((await sentBy(Array.from({ length: 1000 }, (_, i) => ({ email: `n${i}@new.com` })))).sent).toHaveLength(1);
});

it('reads the names of the lists that it tells of, and of no others that somebody stands in', async () => {
  const { entity_id } = await record(acme, 'listed@acme.com', [state('title', 'CTO')]);
  for (let i = 0; i < 40; i++) await listWith(hub, acme, [entity_id]);
  await hub.database.pool.query('ANALYZE leads; ANALYZE lead_lists; ANALYZE entities');
  const { sent, body } = await sentBy([{ email: 'listed@acme.com' }]);
  expect(body.results[0]!.lists).toHaveLength(20);
  const plan = await explainPlan(
    hub.database,
    sent.find(({ sql }) => sql.includes('lead_lists'))!,
    acme.workspaceId,
  );
  const readOf = (table: string) =>
    plan
      .filter(node => node['Relation Name'] === table)
      .reduce((sum, node) => sum + node['Actual Rows']! * node['Actual Loops']!, 0);
  expect({ places: readOf('leads'), names: readOf('lead_lists') }).toEqual({ places: 40, names: 20 });
});
