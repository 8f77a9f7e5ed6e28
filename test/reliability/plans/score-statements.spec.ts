import { EntityScoringService } from '#graph/score/entity-scoring.service.js';
import { event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { listenTo, type Sent, type StatementLog } from '../../support/database/statements.js';

let hub: TestHub;
let acme: Client;
let log: StatementLog;
let ids: string[];

const people = Array.from({ length: 100 }, (_, i) => `p${i}@acme.com`);

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
  log = listenTo(hub.database.pool);
  acme = await hub.workspace();
  const model = { fit: [{ property: 'title', op: 'contains_any', value: ['vp'] }] };
  await acme.post('/v2/workspace/facts', { section: 'icp', content: model });
  const all = people.map(email => record(acme, email, [state('title', 'VP Sales'), event('email_replied')]));
  ids = (await Promise.all(all)).map(({ entity_id }) => entity_id);
});
afterAll(() => hub.end());

async function sentBy(work: () => Promise<unknown>): Promise<readonly Sent[]> {
  log.clear();
  await work();
  const transactions = log.of('rapport_app');
  expect(transactions).toHaveLength(1);
  return transactions[0]!;
}

const score = (body: object) => acme.post<{ results: unknown[] }>('/v2/score', body);

it('scoring a hundred takes as many statements as scoring one', async () => {
  const one = await sentBy(() => score({ identifier: people[0] }));
  const hundred = await sentBy(() => score({ identifiers: people }));
  const unchanged = await sentBy(() => score({ identifiers: people }));
  expect([one.length, hundred.length, unchanged.length]).toEqual([9, 9, 7]);
});

it('announces each score that has changed once', async () => {
  await record(acme, people[0]!, [event('meeting_held')]);
  const sent = await sentBy(() => score({ identifiers: [people[0], people[0], people[1]] }));
  const outbox = sent.find(({ sql }) => sql.includes('INSERT INTO outbox'))!;
  expect(JSON.stringify(outbox.values).match(/lead\.scored/g)).toHaveLength(1);
});

it('scores a set of entities in five statements and writes nothing', async () => {
  const service = hub.app.get(EntityScoringService, { strict: false });
  const scored: number[] = [];
  const sent = await sentBy(() =>
    hub.database.work.run(acme.workspaceId, async tx => {
      const scores = await service.scoreEntities(tx, ids);
      scored.push(...[...scores.values()].map(({ layers }) => layers.fit.score!));
    }),
  );
  expect(scored).toEqual(people.map(() => 100));
  expect(sent.length).toBe(5);
  expect(sent.filter(({ sql }) => /INSERT|UPDATE|DELETE/.test(sql))).toEqual([]);
});

it('scoring a thousand leads reads the model once and nothing else', async () => {
  const leads = Array.from({ length: 1000 }, (_, i) => ({ ref: i, title: 'VP Sales', email: `x${i}@y.com` }));
  const sent = await sentBy(() => score({ leads }));
  expect(sent.filter(({ sql }) => sql.includes('workspace_facts'))).toHaveLength(1);
  expect(sent).toHaveLength(4);
});
