import fc from 'fast-check';
import { type ErrorBody, event, insertPeople, record, state } from '../../support/graph/graph-calls.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import type { Client, TestHub } from '../../support/hub.js';

type Row = Record<string, unknown>;
type Page = ErrorBody & { people: Row[]; companies: Row[]; leads: Row[]; next_cursor: string | null; count?: number };

let hub: TestHub;
let client: Client;

hubForSuite(
  made => (client = made),
  started => (hub = started),
);

const on = (day: string) => ({ observed_at: `${day}T00:00:00Z` });
const read = async (path: string, query: Record<string, string>, from = client) =>
  (await from.get<Page>(`${path}?${new URLSearchParams(query)}`)).body;
const emails = ({ people, leads }: Page) => (people ?? leads)?.map(row => row['email']);

describe('a list as of a time', () => {
  let acme: Client;
  let listId: string;
  beforeAll(async () => {
    acme = await hub.workspace();
    await record(acme, 'ada@acme.com', [
      state('title', 'CTO', on('2025-01-01')),
      state('headcount', 40, on('2025-01-01')),
      state('name', 'Ada Byron', on('2025-01-01')),
      state('title', 'CEO', on('2026-01-01')),
      state('headcount', 900, on('2026-01-01')),
      state('name', 'Ada Lovelace', on('2026-01-01')),
      event('email_replied', on('2025-03-01')),
      event('call_held', on('2026-02-01')),
    ]);
    await record(acme, 'bob@acme.com', [
      state('title', 'CEO', on('2025-02-01')),
      state('headcount', 300, on('2025-02-01')),
      state('name', 'Bob', on('2025-02-01')),
      state('title', null, on('2026-03-01')),
    ]);
    await record(acme, 'eve@other.io', [state('title', 'CTO', on('2026-04-01'))]);
    await record(acme, 'acme.com', [
      state('industry', 'Software', on('2025-01-01')),
      state('industry', 'Banking', on('2026-01-01')),
    ]);
    const rows = ['ada@acme.com', 'bob@acme.com'].map(email => ({ email }));
    const added = await acme.post<{ list_id: string }>('/v2/lead-lists/attach', { name: 'L', rows });
    listId = added.body.list_id;
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['a property', { title: 'CTO' }, ['ada@acme.com']],
    [
      'a property that several had',
      { filter: '{"title":{"$exists":true}}', sort: 'title' },
      ['bob@acme.com', 'ada@acme.com'],
    ],
    ['a property that somebody did not have', { filter: '{"title":{"$exists":false}}' }, ['eve@other.io']],
    ['a number', { filter: '{"headcount":{"$gt":100}}' }, ['bob@acme.com']],
    [
      'freshness at that time',
      { filter: '{"title":{"freshness":{"$in":["fresh","aging"]}}}', sort: '-headcount' },
      ['bob@acme.com', 'ada@acme.com'],
    ],
    ['the name', { name: 'Ada Byron' }, ['ada@acme.com']],
    ['a text of any field', { search: 'byron' }, ['ada@acme.com']],
    ['activity relative to that time', { last_activity_after: '120d' }, ['ada@acme.com']],
    ['a conjunction with what does not change', { account: 'acme.com', title: 'CEO' }, ['bob@acme.com']],
    ['a negation', { filter: '{"$not":{"title":"CTO"}}', account: 'acme.com' }, ['bob@acme.com']],
    ['the order of a number', { sort: 'headcount', account: 'acme.com' }, ['ada@acme.com', 'bob@acme.com']],
    ['the order of activity', { sort: '-last_activity_at', account: 'acme.com' }, ['ada@acme.com', 'bob@acme.com']],
  ])('reads %s', async (_title, query, expected) => {
    const page = await read('/v2/people', { as_of: '2025-06-01', count: 'true', ...query }, acme);
    expect(emails(page)).toEqual(expected);
    expect(page.count).toBe(expected.length);
  });

  it('shows the rows as they were, for companies and leads too', async () => {
    const companies = await read('/v2/companies', { as_of: '2025-06-01', industry: 'Software' }, acme);
    expect(companies.companies).toMatchObject([{ domain: 'acme.com', industry: 'Software' }]);
    expect((await read('/v2/companies', { as_of: '2025-06-01', industry: 'Banking' }, acme)).companies).toEqual([]);
    const leads = await read('/v2/leads', { as_of: '2025-06-01', list_id: listId, title: 'CTO' }, acme);
    expect(leads.leads).toMatchObject([{ email: 'ada@acme.com', title: 'CTO', name: 'Ada Byron' }]);
  });

  it('pages by cursor', async () => {
    const query = { as_of: '2025-06-01', sort: '-headcount', limit: '1' };
    const first = await read('/v2/people', query, acme);
    const second = await read('/v2/people', { ...query, cursor: first.next_cursor! }, acme);
    expect([emails(first), emails(second)]).toEqual([['bob@acme.com'], ['ada@acme.com']]);
  });

  it.each([
    ['/v2/leads', { status: 'pending' }, 'status'],
    ['/v2/companies', { sort: 'last_activity' }, 'last_activity_at'],
    ['/v2/companies', { filter: '{"people_count":{"$gt":1}}' }, 'people_count'],
  ])('%s refuses %j, whose past is not recorded', async (path, query, field) => {
    expect(await read(path, { as_of: '2025-06-01', ...query }, acme)).toMatchObject({
      error: 'invalid_request',
      details: [{ field, message: expect.stringMatching(/not recorded.*filtered by id/) }],
    });
  });

  it('is refused for more candidates than can be derived, and names filters that narrow it', async () => {
    const large = await hub.workspace();
    await insertPeople(hub, large, 1_001);
    await record(large, 'ada@acme.com', [state('title', 'CTO', on('2025-01-01'))]);
    expect(await read('/v2/people', { as_of: '2025-06-01', title: 'CTO' }, large)).toMatchObject({
      error: 'invalid_request',
      details: [{ field: 'as_of', message: expect.stringContaining('Narrow the list by account, list_id') }],
    });
    expect(emails(await read('/v2/people', { as_of: '2025-06-01', title: 'CTO', account: 'acme.com' }, large))).toEqual(
      ['ada@acme.com'],
    );
  });
});

it('a list as of now is the list of today, whatever filters and sorts it', async () => {
  const value = fc.constantFrom('CTO', 'CEO', 'Head of Sales', null);
  const person = fc.record({
    title: fc.array(fc.tuple(value, fc.integer({ min: 1, max: 28 })), { maxLength: 3 }),
    headcount: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 2 }),
    events: fc.array(fc.constantFrom('call_held', 'email_replied', 'email_sent'), { maxLength: 2 }),
  });
  const queries: Record<string, string>[] = [
    { sort: '-title' },
    { sort: 'headcount' },
    { sort: '-last_activity_at', filter: '{"$not":{"title":"cto"}}' },
    { filter: '{"$or":[{"title":{"$contains":"head"}},{"headcount":{"$lte":2}}]}', sort: 'title' },
    { filter: '{"title":{"confidence":{"$gt":0.1},"freshness":{"$in":["fresh","aging"]}}}' },
    { has_email: 'true', last_activity_after: '400d', sort: '-headcount,title' },
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 4 }), async people => {
      const workspace = await hub.workspace();
      for (const [i, { title, headcount, events }] of people.entries()) {
        const day = (n: number) => on(`2026-10-${String(n).padStart(2, '0')}`);
        await record(workspace, `p${i}@acme.com`, [
          state('city', 'Berlin'),
          ...title.map(([text, n]) => state('title', text, day(n))),
          ...headcount.map((n, k) => state('headcount', n, day(k + 1))),
          ...events.map((type, k) => event(type, day(k + 5))),
        ]);
      }
      const now = new Date(Date.now() + 60_000).toISOString();
      for (const query of queries) {
        const sort = { sort: '-created_at', ...query };
        const [today, past] = [
          await read('/v2/people', sort, workspace),
          await read('/v2/people', { ...sort, known_at: now }, workspace),
        ];
        expect({ query, emails: emails(past), error: past.error }).toEqual({
          query,
          emails: emails(today),
          error: undefined,
        });
      }
    }),
    { numRuns: 15 },
  );
});
