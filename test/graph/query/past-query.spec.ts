import { event, insertPeople, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { queryOf, tryQuery } from '../../support/graph/query.js';

let hub: TestHub;
let acme: Client;
let ada: string;
let bob: string;
let firm: string;
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
  const calls = [event('call_held', { observed_at: ago(30) }), event('email_sent', { observed_at: ago(2) })];
  ada = (
    await record(acme, 'ada@gmail.com', [
      state('name', 'Ada Byron', { observed_at: ago(60) }),
      state('title', 'CTO', { observed_at: ago(40) }),
      state('title', 'CEO', { observed_at: ago(5) }),
      ...calls,
    ])
  ).entity_id;
  bob = (await record(acme, 'bob@gmail.com', [state('title', 'CTO', { observed_at: ago(5) }), ...calls])).entity_id;
  firm = (
    await record(acme, 'firm.example', [
      state('industry', 'Banking', { observed_at: ago(40) }),
      state('industry', 'Software', { observed_at: ago(5) }),
      ...calls,
    ])
  ).entity_id;
});
afterAll(() => hub?.end());

/** Returns the entities whose events a query finds, in the order of their IDs. */
async function found(entity: object, rest: object = {}): Promise<unknown[]> {
  const { items } = await queryOf(acme, { scope: { kind: 'event' }, return: 'entities', filter: { entity }, ...rest });
  return items.map(item => item['entity_id']).toSorted();
}

describe('entity filters of a query with as_of or known_at', () => {
  it.each<[string, object, () => string[], () => string[]]>([
    ['a property', { title: 'CTO' }, () => [bob], () => [ada]],
    ['a property that somebody did not have', { title: { $exists: false } }, () => [firm], () => [bob, firm]],
    ['a negation', { $not: { title: 'CTO' } }, () => [ada, firm], () => [bob, firm]],
    ['a property of a company', { industry: 'Banking' }, () => [], () => [firm]],
    ['the name', { name: 'Ada Byron' }, () => [ada], () => [ada]],
    ['activity relative to the time', { last_activity_at: { $lt: '-15d' } }, () => [], () => [ada, bob, firm]],
    ['freshness', { title: { freshness: 'fresh' } }, () => [ada, bob], () => [ada]],
    ['what does not change', { type: 'company' }, () => [firm], () => [firm]],
    ['both kinds together', { type: 'person', title: 'CTO' }, () => [bob], () => [ada]],
  ])('reads %s', async (_title, entity, today, then) => {
    expect(await found(entity)).toEqual(today().toSorted());
    expect(await found(entity, { as_of: ago(10) })).toEqual(then().toSorted());
    expect(await found(entity, { known_at: new Date(Date.now() + 60_000).toISOString() })).toEqual(today().toSorted());
    expect(await found(entity, { known_at: '2026-01-01' })).toEqual([]);
  });

  it('counts and groups the same observations as it lists', async () => {
    const body = { scope: { kind: 'event' }, filter: { entity: { title: 'CTO' } }, as_of: ago(10) };
    expect(await queryOf(acme, { ...body, group_by: ['entity'], summarize: 'extractive' })).toMatchObject({
      matched: 1,
      items: [{ entity_id: ada, type: 'call_held' }],
      totals: { observations: 1, entities: 1 },
      rollups: { by_type: { 'interaction.call_held': 1 } },
      groups: [{ key: { entity: ada }, count: 1 }],
      summary: { method: 'extractive' },
    });
  });

  it('is refused for more entities than can be derived, unless the filter or the scope narrows them', async () => {
    const large = await hub.workspace();
    await insertPeople(hub, large, 1_001);
    await record(large, 'ada@gmail.com', [state('title', 'CTO', { observed_at: ago(5) }), event('call_held')]);
    const body = { scope: { kind: 'event' }, filter: { entity: { title: 'CTO' } }, as_of: ago(0) };
    const narrowed = [
      { scope: { kind: 'event', entity_id: 'ada@gmail.com' } },
      { filter: { entity: { title: 'CTO', email: 'ada@gmail.com' } } },
    ];
    expect(await tryQuery(large, body)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_request',
        details: [{ field: 'as_of', message: expect.stringContaining('Narrow filter.entity by account') }],
      },
    });
    for (const narrower of narrowed)
      expect((await queryOf(large, { ...body, as_of: new Date().toISOString(), ...narrower })).matched).toBe(1);
  });
});
