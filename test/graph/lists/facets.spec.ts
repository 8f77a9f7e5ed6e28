import { account, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

interface Facet {
  readonly property: string;
  readonly claims: number;
  readonly freshness: Record<string, number>;
  readonly epistemic_class: Record<string, number>;
  readonly refresh_due: number;
  readonly sources: { readonly source: string }[];
}

interface Facets {
  readonly total: number;
  readonly facets: Facet[];
  readonly has_more_properties: boolean;
}

let hub: TestHub;
let client: Client;
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const from = (source: string, days = 1) => ({ source, observed_at: ago(days) });

beforeAll(async () => {
  hub = await startTestHub();
  client = await hub.workspace();
  await record(client, 'ada@gmail.com', [
    state('title', 'CTO', from('crm:x', 2)),
    state('title', 'CTO', from('linkedin')),
    state('city', 'Berlin', from('csv', 3_000)),
  ]);
  await record(client, 'bob@gmail.com', [state('title', 'CFO', from('crm:x'))]);
  await record(client, 'eve@gmail.com', [
    state('title', 'Intern', from('crm:x', 5)),
    state('title', null, from('crm:x')),
  ]);
  await record(client, 'acme.com', [state('industry', 'Retail', from('crm:x'))]);
});
afterAll(() => hub?.end());

async function count(path: string, body: object): Promise<Facets> {
  const { status, body: counted } = await client.post<Facets>(path, body);
  if (status !== 200) throw new Error(JSON.stringify(counted));
  return counted;
}

const people = (body: object) => count('/v2/people/facets', body);

async function listNames(filter: object): Promise<string[]> {
  const query = new URLSearchParams({ filter: JSON.stringify(filter), fields: 'email' });
  const { body } = await client.get<{ people: { email: string }[] }>(`/v2/people?${query}`);
  return body.people.map(({ email }) => email).toSorted();
}

describe('POST /v2/people/facets', () => {
  it('counts current claims by freshness, class and source', async () => {
    const { total, facets, has_more_properties } = await people({ properties: ['title', 'city'] });
    expect(total).toBe(3);
    expect(has_more_properties).toBe(false);
    expect(facets).toEqual([
      {
        property: 'title',
        claims: 2,
        freshness: { fresh: 2 },
        epistemic_class: { corroborated: 1, reported: 1 },
        refresh_due: 0,
        sources: [
          { source: 'crm:x', claims: 2, only_source: 1, refresh_due: 0, not_fresh: 0 },
          { source: 'linkedin', claims: 1, only_source: 0, refresh_due: 0, not_fresh: 0 },
        ],
      },
      {
        property: 'city',
        claims: 1,
        freshness: { expired: 1 },
        epistemic_class: expect.any(Object),
        refresh_due: 0,
        sources: [{ source: 'csv', claims: 1, only_source: 1, refresh_due: 0, not_fresh: 1 }],
      },
    ]);
  });

  it('counts every property without a choice, and those of matching rows only', async () => {
    const all = await people({});
    expect(all.facets.map(({ property }) => property)).toEqual(expect.arrayContaining(['title', 'city']));
    const some = await people({ filter: { title: { only_source: 'crm:x' } }, properties: ['title'] });
    expect(some).toMatchObject({ total: 1, facets: [{ property: 'title', claims: 1 }] });
  });

  it('counts the rows that the conditions of the list find', async () => {
    expect(await listNames({ title: { source: 'crm:x' } })).toEqual(['ada@gmail.com', 'bob@gmail.com']);
    expect(await listNames({ title: { only_source: 'crm:x' } })).toEqual(['bob@gmail.com']);
    expect(await listNames({ title: { source: { $nin: ['linkedin'] } } })).toEqual(['bob@gmail.com', 'eve@gmail.com']);
  });

  it('counts facts that stop being fresh within the given time', async () => {
    const { claims } = await account(client, 'bob@gmail.com');
    const days = Math.ceil((Date.parse(String(claims['title']!.refresh_due_at)) - Date.now()) / 86_400_000);
    const due = await people({ properties: ['title'], refresh_within: `${days}d` });
    expect(due.facets[0]!.refresh_due).toBe(2);
    expect((await people({ properties: ['title'], refresh_within: `${days - 2}d` })).facets[0]!.refresh_due).toBe(0);
    const soon = { title: { $exists: true, freshness: 'fresh', refresh_due_at: { $lt: `+${days}d` } } };
    expect(await listNames(soon)).toEqual(['ada@gmail.com', 'bob@gmail.com']);
  });

  it('counts a fact of an earlier job as suspect', async () => {
    const days = (n: number) => from('crm:x', n);
    await record(client, 'job@gmail.com', [
      state('company', 'Acme', days(20)),
      state('phone', '+49301234567', days(20)),
    ]);
    await record(client, 'job@gmail.com', [state('company', 'Globex', days(2))]);
    const { facets } = await people({ filter: { email: 'job@gmail.com' }, properties: ['phone'] });
    expect(facets[0]!.freshness).toEqual({ suspect: 1 });
  });

  it.each([
    ['filter.title.source', { filter: { title: { source: 5 } } }],
    ['filter.title.only_source', { filter: { title: { only_source: { $in: [] } } } }],
    ['filter.title.refresh_due_at', { filter: { title: { refresh_due_at: 'soon' } } }],
    ['properties', { properties: ['titel'] }],
    ['properties', { properties: [] }],
    ['refresh_within', { refresh_within: 'soon' }],
    ['limit', { limit: 5 }],
  ])('names %s when it is wrong', async (field, body) => {
    const { status, body: problem } = await client.post<{ details: { field: string }[] }>('/v2/people/facets', body);
    expect(status).toBe(400);
    expect(problem.details.map(each => each.field)).toContain(field);
  });

  it('says whether there are claims about other properties', async () => {
    expect((await people({})).has_more_properties).toBe(false);
    expect((await people({ properties: ['title'] })).has_more_properties).toBe(false);
    const many = Array.from({ length: 51 }, (_, i) => state(`fact_${i}`, i, from('csv')));
    await record(client, 'many@gmail.com', many);
    const some = await people({ filter: { email: 'many@gmail.com' } });
    expect([some.facets.length, some.has_more_properties]).toEqual([50, true]);
  });

  it('takes times of any size', async () => {
    expect((await people({ refresh_within: '999999w', properties: ['title'] })).facets[0]!.refresh_due).toBe(2);
    expect(await listNames({ title: { refresh_due_at: { $lte: '-999999w' } } })).toEqual([]);
    expect(await listNames({ title: { source: 'linkedin', last_observed_at: { $lte: '+999999w' } } })).toEqual([
      'ada@gmail.com',
    ]);
  });

  it('refuses a filter by a property that was never stated', async () => {
    const { status, body } = await client.post('/v2/people/facets', { filter: { titel: 'CTO' } });
    expect([status, (body as { error: string }).error]).toEqual([400, 'unknown_query_param']);
  });
});

describe('POST /v2/companies/facets', () => {
  it('counts the claims of companies', async () => {
    const { total, facets } = await count('/v2/companies/facets', { properties: ['industry'] });
    expect(total).toBeGreaterThanOrEqual(1);
    expect(facets).toMatchObject([{ property: 'industry', claims: 1, sources: [{ source: 'crm:x', only_source: 1 }] }]);
  });
});
