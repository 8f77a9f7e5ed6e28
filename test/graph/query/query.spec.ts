import type { QueryResponse } from '#graph/query/query.presenter.js';
import { event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { queryOf, tryQuery } from '../../support/graph/query.js';

let hub: TestHub;
let acme: Client;
let ada: string;
let bob: string;
const START = '2099-01-02T09:00:00Z';
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
  ada = (
    await record(acme, 'ada@engine.com', [
      state('name', 'Ada'),
      state('title', 'VP Sales', { observed_at: ago(20) }),
      state('stage', 'proposal', { observed_at: ago(20), source: 'crm:x' }),
      state('stage', 'negotiation', { observed_at: ago(2), source: 'crm:x' }),
      event('email_sent', { observed_at: ago(5), value: { subject: 'An offer', amount: 100 } }),
      event('email_received', { observed_at: ago(4), value: { summary: 'Can we have a discount on the price?' } }),
      event('meeting_scheduled', { observed_at: ago(3), source: 'calcom', value: { start: START, title: 'Demo' } }),
    ])
  ).entity_id;
  bob = (
    await record(acme, 'bob@other.com', [
      state('name', 'Bob'),
      state('title', 'CTO', { observed_at: ago(20) }),
      state('stage', 'proposal', { observed_at: ago(3), source: 'crm:x' }),
      event('email_sent', { observed_at: ago(6), value: { subject: 'Another offer', amount: 50 } }),
      event('email_sent', { observed_at: ago(1), value: { subject: 'Again', amount: 'n/a' } }),
      event('meeting_scheduled', { observed_at: ago(2), value: { start: 'sometime', title: 'Odd' } }),
    ])
  ).entity_id;
});
afterAll(() => hub.end());

const types = ({ items }: QueryResponse) => items.map(item => item['type']);

describe('POST /v2/query', () => {
  it('finds by the beginning of a property, newest first', async () => {
    const answer = await queryOf(acme, { scope: { property: 'interaction.email' } });
    expect(types(answer)).toEqual(['email_sent', 'email_received', 'email_sent', 'email_sent']);
    expect(answer).toMatchObject({
      mode: 'structured',
      return: 'observations',
      matched: 4,
      returned: 4,
      sampled: false,
      totals: { observations: 4, entities: 2 },
      rollups: { by_type: { 'interaction.email_sent': 3, 'interaction.email_received': 1 }, by_source: { agent: 4 } },
      next_cursor: null,
    });
    expect(answer.items[1]).toMatchObject({
      entity_id: ada,
      entity_name: 'Ada',
      kind: 'event',
      property: 'interaction.email_received',
      summary: 'Can we have a discount on the price?',
    });
  });

  it.each([
    [{ kind: 'state', property: 'stage' }, 3],
    [{ kind: 'state' }, 9],
    [{ source: 'crm:x' }, 3],
    [{ source: 'cal_com' }, 1],
    [{ entity_id: 'ada@engine.com', kind: 'event' }, 3],
    [{ entity_id: 'Bob', kind: 'event' }, 3],
    [{ entity_id: 'engine.com', kind: 'event' }, 3],
    [{ kind: 'event', property: 'email_reply' }, 1],
    [{ property: 'interaction.email_replied' }, 1],
    [{ property: 'interaction.nothing' }, 0],
    [{ kind: 'event', since_days: 3.5, to: ago(0) }, 2],
    [{ kind: 'event', from: ago(5.5), to: ago(3.5) }, 2],
  ])('%j finds %i', async (scope, count) => {
    expect((await queryOf(acme, { scope })).items).toHaveLength(count);
  });

  it('finds meetings by their start, and one without a start by the time of its observation', async () => {
    const future = await queryOf(acme, { scope: { from: '2098-01-01' } });
    expect(future.items).toMatchObject([{ type: 'meeting_scheduled', when: '2099-01-02T09:00:00.000000Z' }]);
    const booked = await queryOf(acme, { scope: { property: 'interaction.meeting', to: ago(0) } });
    expect(booked.items).toMatchObject([{ entity_id: bob, summary: 'Odd' }]);
  });

  it('takes kind and time among the conditions on observations, and the limit beside the scope', async () => {
    const all = await queryOf(acme, { scope: { kind: 'event', from: ago(3), to: ago(0) } });
    const filter = { observation: { kind: 'event', since: ago(3), until: ago(0) } };
    expect(all.matched).toBeGreaterThan(1);
    expect(await queryOf(acme, { filter })).toMatchObject({ matched: all.matched, items: all.items });
    expect(await queryOf(acme, { filter, scope: { from: ago(400) }, limit: 1 })).toMatchObject({
      matched: all.matched,
      returned: 1,
      limit: 1,
    });
  });

  it('leaves nobody without everything, and only the silent without what is new', async () => {
    expect(await queryOf(acme, { without: {} })).toMatchObject({ matched: 0, items: [], rollups: { by_type: {} } });
    const other = await hub.workspace();
    await record(other, 'eve@one.com', [event('call_held', { observed_at: ago(1) })]);
    const { entity_id } = await record(other, 'fay@two.com', [event('call_held', { observed_at: ago(20) })]);
    const silent = { scope: { kind: 'event' }, without: { since_days: 5 }, return: 'entities' };
    expect(await queryOf(other, silent)).toMatchObject({ matched: 1, items: [{ entity_id }] });
  });

  it('returns the requested name', async () => {
    const { items, rollups, groups } = await queryOf(acme, {
      scope: { property: 'job_title' },
      group_by: ['property'],
    });
    expect({ rollups, groups }).toMatchObject({
      rollups: { by_type: { job_title: 2 } },
      groups: [{ key: { property: 'job_title' }, count: 2 }],
    });
    expect(items.map(({ property, value }) => [property, value])).toEqual(
      [
        ['job_title', 'VP Sales'],
        ['job_title', 'CTO'],
      ].toSorted(() => (items[0]!['value'] === 'CTO' ? -1 : 1)),
    );
  });

  it('leaves out entities that have something else, and tells whose the rest are', async () => {
    const answer = await queryOf(acme, {
      scope: { property: 'interaction.email_sent' },
      without: { property: 'interaction.email_replied' },
      return: 'entities',
    });
    expect(answer.items).toMatchObject([
      { entity_id: bob, entity_name: 'Bob', matches: 2, most_recent_type: 'email_sent', most_recent_summary: 'Again' },
    ]);
    expect(answer.matched).toBe(1);
  });

  it('filters by facts of the entity, and by what observations say', async () => {
    const vps = await queryOf(acme, { scope: { kind: 'event' }, filter: { entity: { title: { $contains: 'vp' } } } });
    expect(new Set(vps.items.map(item => item['entity_id']))).toEqual(new Set([ada]));
    const offers = await queryOf(acme, {
      filter: { observation: { text: 'OFFER', property: ['interaction.email_sent'] } },
    });
    expect(offers.items.map(item => item['summary'])).toEqual(['An offer', 'Another offer']);
    const exact = await queryOf(acme, { filter: { observation: { value: 'CTO' }, entity: { type: 'person' } } });
    expect(exact.items).toMatchObject([{ property: 'title', value: 'CTO' }]);
  });

  it('ranks by a question', async () => {
    const answer = await queryOf(acme, { scope: { kind: 'event' }, question: 'who asked for discounts' });
    expect(answer).toMatchObject({ mode: 'lexical', question: 'who asked for discounts' });
    expect(answer.items[0]).toMatchObject({ type: 'email_received', similarity: expect.any(Number) });
  });

  it('says when a question, or the words of facts, had more to look at than it did', async () => {
    const other = await hub.workspace();
    const sent = (i: number) => event('email_sent', { observed_at: ago(i / 100), value: { subject: `Offer ${i}` } });
    await record(
      other,
      'cy@gmail.com',
      Array.from({ length: 1000 }, (_, i) => sent(i)),
    );
    const sampled = async (body: object) => (await queryOf(other, body)).sampled;
    expect(await sampled({ question: 'offer' })).toBe(false);
    await record(other, 'cy@gmail.com', [sent(1000)]);
    expect(await sampled({ question: 'offer' })).toBe(true);
    expect((await queryOf(other, { question: 'offer' })).meta).toMatchObject({ looked_at: 1000 });
    expect(await sampled({ question: 'offer', scope: { since_days: 1 } })).toBe(false);
    expect(await sampled({})).toBe(false);
  });

  it('counts each entity once by its newest value', async () => {
    const { rollups } = await queryOf(acme, { scope: { kind: 'state', property: 'stage' } });
    expect(rollups.by_value).toEqual({ negotiation: 1, proposal: 1 });
  });

  it('gives what is claimed as sentences', async () => {
    const answer = await queryOf(acme, { scope: { facts: true, property: 'stage' }, question: 'negotiation' });
    expect(answer).toMatchObject({
      corpus: 'facts',
      items: [{ category: 'stage', content: 'stage of Ada: negotiation' }],
    });
  });

  it('groups and aggregates', async () => {
    const { groups } = await queryOf(acme, {
      scope: { property: 'interaction.email_sent' },
      group_by: ['entity'],
      aggregate: [{ op: 'count' }, { op: 'sum', field: 'amount' }, { op: 'last', field: 'subject' }],
    });
    expect(groups).toEqual([
      { key: { entity: bob }, count: 2, sum_amount: 50, last_subject: 'Again' },
      { key: { entity: ada }, count: 1, sum_amount: 100, last_subject: 'An offer' },
    ]);
    for (const by of ['property', 'source', 'kind', 'company', 'day', 'week', 'month', 'value']) {
      const answer = await queryOf(acme, { scope: { kind: 'event' }, group_by: [by] });
      expect(answer.groups!.reduce((sum, group) => sum + Number(group['count']), 0)).toBe(6);
    }
    const whole = await queryOf(acme, { aggregate: [{ op: 'distinct_entities' }, { op: 'avg', field: 'amount' }] });
    expect(whole.groups).toEqual([{ key: {}, distinct_entities: expect.any(Number), avg_amount: 75 }]);
  });

  it.each(['desc', 'asc'])('pages through everything once, %s', async order => {
    const seen: string[] = [];
    for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
      const page: QueryResponse = await queryOf(acme, { scope: { order, limit: 4 }, ...(cursor && { cursor }) });
      seen.push(...page.items.map(item => `${String(item['when'])} ${String(item['observation_id'])}`));
      cursor = page.next_cursor;
    }
    const sorted = seen.toSorted();
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(order === 'asc' ? sorted : sorted.toReversed());
    expect(seen.length).toBe((await queryOf(acme, {})).matched);
  });

  it('pages through entities', async () => {
    const first = await queryOf(acme, { scope: { kind: 'event', limit: 1 }, return: 'entities' });
    const second = await queryOf(acme, {
      scope: { kind: 'event', limit: 1 },
      return: 'entities',
      cursor: first.next_cursor,
    });
    expect([first, second].map(({ items }) => items[0]!['entity_id']).toSorted()).toEqual([ada, bob].toSorted());
    expect(second.next_cursor).toBeNull();
    const { status, body } = await tryQuery(acme, { scope: { kind: 'state' }, cursor: first.next_cursor });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'cursor_mismatch' } });
  });

  it('counts those that were merged as one', async () => {
    const other = await hub.workspace();
    for (const who of ['eve@one.com', 'eve@gmail.com']) await record(other, who, [event('call_held')]);
    await other.post('/v2/entities/merge', { a: 'eve@one.com', b: 'eve@gmail.com' });
    const answer = await queryOf(other, { scope: { kind: 'event' }, return: 'entities' });
    expect(answer).toMatchObject({ matched: 1, items: [{ matches: 2 }], totals: { observations: 2, entities: 1 } });
    expect((await queryOf(other, { scope: { entity_id: 'eve@gmail.com', kind: 'event' } })).matched).toBe(2);
  });

  it('knows what was known then', async () => {
    expect((await queryOf(acme, { known_at: '2026-01-01' })).matched).toBe(0);
    const then = await queryOf(acme, { scope: { property: 'stage' }, as_of: ago(10) });
    expect(then.items).toMatchObject([{ value: 'proposal' }]);
  });

  it.each([
    [{ scope: { kind: 'thing' } }, 'scope.kind'],
    [{ scope: { cats: 1 } }, 'scope.cats'],
    [{ cats: 1 }, 'cats'],
    [{ scope: [] }, 'scope'],
    [{ scope: { limit: 0 } }, 'scope.limit'],
    [{ scope: { limit: 1.5 } }, 'scope.limit'],
    [{ scope: { from: 'soon' } }, 'scope.from'],
    [{ scope: { since_days: -1 } }, 'scope.since_days'],
    [{ scope: { from: '2026-02-02', to: '2026-02-01' } }, 'scope.from'],
    [{ scope: { since_days: 1, to: '2026-02-01' } }, 'scope.since_days'],
    [{ scope: {}, without: { from: '2026-02-02', to: '2026-02-01' } }, 'without.from'],
    [{ without: 'x' }, 'without'],
    [{ filter: { entity: { title: { $near: 1 } } } }, 'filter.entity.title.$near'],
    [{ group_by: ['cat'] }, 'group_by[0]'],
    [{ aggregate: [{ op: 'median' }] }, 'aggregate[0].op'],
    [{ summarize: 'poem' }, 'summarize'],
    [{ return: 'cats' }, 'return'],
    [{ question: 'a\u0000b' }, 'question'],
    [{ budget_tokens: 'many' }, 'budget_tokens'],
    [{ filter: { entity: { colour_of_hair: 'red' } } }, 'filter.entity.colour_of_hair'],
  ])('refuses %j and names %s', async (body, field) => {
    const answer = await tryQuery(acme, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: 'invalid_request', details: [{ field }] });
  });

  it('clamps the limit, and knows who is meant by a shared name or nobody', async () => {
    expect((await queryOf(acme, { scope: { limit: 5000 } })).limit).toBe(200);
    await record(acme, 'bob@third.com', [state('name', 'Bob')]);
    expect(await tryQuery(acme, { scope: { entity_id: 'Bob' } })).toMatchObject({
      status: 200,
      body: { status: 'ambiguous' },
    });
    expect((await tryQuery(acme, { scope: { entity_id: 'nobody@x.com' } })).body).toMatchObject({
      error: 'entity_not_found',
    });
    expect((await tryQuery(acme, '[]')).status).toBe(400);
  });
});
