import { event, record, state } from '../../support/graph/graph-calls.js';
import type { ErrorBody } from '../../support/graph/graph-calls.js';
import { merge } from '../../support/graph/merge-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

type Row = Record<string, unknown> & { readonly id: string; readonly name: string | null };
type List = ErrorBody & {
  readonly companies: Row[];
  readonly limit: number;
  readonly offset?: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly count?: number;
};

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub();
  client = await hub.workspace();
  await record(client, 'acme.com', [
    state('name', 'Acme GmbH'),
    state('industry', 'software', { source: 'crm:hubspot' }),
    state('headcount', 120),
    state('lead_score', { priority: 70, icp_score: 82 }),
    state('country', 'Germany', { observed_at: '2026-01-01T00:00:00Z' }),
    state('country', 'Austria', { observed_at: '2026-06-01T00:00:00Z' }),
  ]);
  await record(client, 'linkedin.com/company/globex', [state('name', 'Globex'), state('industry', 'energy')]);
  await record(client, 'ada@acme.com', [event('call_held', { observed_at: '2026-11-01T10:00:00Z' })]);
  await record(client, 'bob@acme.com', [event('email_sent', { observed_at: '2026-10-01T10:00:00Z' })]);
  await record(client, 'eve@initech.example', [state('name', 'Eve')]);
});
afterAll(() => hub?.end());

const list = (query: Record<string, string> = {}, own = client) =>
  own.get<List>(`/v2/companies?${new URLSearchParams(query)}`);
const keys = async (query: Record<string, string>) => {
  const { status, body } = await list(query);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.companies.map(({ name, ...row }) => name ?? row['domain']);
};
const filter = (conditions: object) => keys({ filter: JSON.stringify(conditions) });

describe('GET /v2/companies', () => {
  it('lists companies and no people, the latest addition first', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({ limit: 100, offset: 0, has_more: false, next_cursor: null });
    expect(body.companies.map(({ name, ...row }) => name ?? row['domain'])).toEqual([
      'initech.example',
      'Globex',
      'Acme GmbH',
    ]);
    expect(body.companies[2]).toMatchObject({
      entity_id: body.companies[2]!.id,
      domain: 'acme.com',
      linkedin_url: null,
      industry: 'software',
      company_size: 120,
      country: 'Austria',
      icp_score: 82,
      icp_fit: true,
      people_count: 2,
      last_activity_at: '2026-11-01T10:00:00.000000Z',
    });
    expect(body.companies[1]).toMatchObject({
      domain: null,
      linkedin_url: 'https://www.linkedin.com/company/globex',
      people_count: 0,
      last_activity_at: null,
    });
  });

  it('filters by fields, properties and the quality of their claims', async () => {
    expect(await keys({ industry: 'Software' })).toEqual(['Acme GmbH']);
    expect(await keys({ domain: 'https://www.acme.com/about' })).toEqual(['Acme GmbH']);
    expect(await keys({ name: 'acme gmbh' })).toEqual(['Acme GmbH']);
    expect(await keys({ icp_fit: 'true' })).toEqual(['Acme GmbH']);
    expect(await keys({ min_icp_score: '83' })).toEqual([]);
    expect(await keys({ search: 'initech' })).toEqual(['initech.example']);
    expect(await keys({ search: 'OBEX' })).toEqual(['Globex']);
    expect(await filter({ domain: { $exists: false } })).toEqual(['Globex']);
    expect(await filter({ domain: { $contains: 'tech' } })).toEqual(['initech.example']);
    expect(await filter({ people_count: { $gte: 2 } })).toEqual(['Acme GmbH']);
    expect(await filter({ headcount: { $gt: 100 } })).toEqual(['Acme GmbH']);
    expect(await filter({ industry: { $exists: true, confidence: { $gte: 0.8 } } })).toEqual(['Acme GmbH']);
    expect(await filter({ last_activity_at: { $exists: true } })).toEqual(['Acme GmbH']);
  });

  it('filters by the activity of the people', async () => {
    expect(await keys({ last_activity_after: '9000d' })).toEqual(['Acme GmbH']);
    expect(await keys({ last_activity_before: '9000d' })).toEqual(['initech.example', 'Globex']);
  });

  it('sorts by fields, properties and named orders', async () => {
    expect(await keys({ sort: 'name' })).toEqual(['Acme GmbH', 'Globex', 'initech.example']);
    expect(await keys({ sort: 'last_activity' })).toEqual(['Acme GmbH', 'initech.example', 'Globex']);
    expect(await keys({ sort: '-people_count,name' })).toEqual(['Acme GmbH', 'initech.example', 'Globex']);
    expect(await keys({ sort: '-industry' })).toEqual(['Acme GmbH', 'Globex', 'initech.example']);
    expect(await keys({ sort: 'icp_score' })).toEqual(['Acme GmbH', 'initech.example', 'Globex']);
  });

  it.each(['-created_at', 'name', '-industry', 'last_activity', '-people_count'])(
    'shows each company once over all pages when sorted by %s',
    async sort => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const { body }: { body: List } = await list({ sort, limit: '1', ...(cursor && { cursor }) });
        seen.push(...body.companies.map(({ id }) => id));
        cursor = body.next_cursor;
      } while (cursor);
      const { body } = await list({ sort });
      expect(seen).toEqual(body.companies.map(({ id }) => id));
      expect(new Set(seen).size).toBe(3);
    },
  );

  it('returns the requested fields, claims and epistemics', async () => {
    const few = await list({ fields: 'name,headcount', name: 'Globex' });
    expect(few.body.companies).toEqual([{ id: expect.any(String), name: 'Globex', headcount: null }]);
    const all = await list({ include: 'claims,epistemics', name: 'Acme GmbH' });
    expect(all.body.companies[0]).toMatchObject({
      claims: { industry: { value: 'software', confidence: 0.85, freshness: 'fresh' } },
      epistemics: { industry: { confidence: 0.85, freshness: 'fresh' } },
    });
  });

  it('counts its rows, and says whether there may be more', async () => {
    expect((await list({ count: 'true' })).body).toMatchObject({ count: 3, count_is: 'exact' });
    expect((await list({ count: 'estimate' })).body).toMatchObject({ count: 3, count_is: 'exact' });
    expect((await list({ count: 'false' })).body).not.toHaveProperty('count');
    expect(await list({ count: 'many' })).toMatchObject({ status: 400, body: { details: [{ field: 'count' }] } });
  });

  it('reads the facts of a past time', async () => {
    const { status, body } = await list({ as_of: '2026-03-01T00:00:00Z', domain: 'acme.com' });
    expect(status).toBe(200);
    expect(body.companies[0]).toMatchObject({ country: 'Germany' });
  });

  it('names what it does not know', async () => {
    expect(await list({ colour: 'red' })).toMatchObject({ status: 400, body: { error: 'unknown_query_param' } });
    expect(await list({ sort: 'domain' })).toMatchObject({ status: 400, body: { error: 'unknown_sort' } });
    expect(await list({ limit: '0' })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const { body } = await list({ limit: '1' });
    expect(await list({ cursor: body.next_cursor!, sort: 'name' })).toMatchObject({
      status: 400,
      body: { error: 'cursor_mismatch' },
    });
  });

  it('is in POST /v2/query the filter by type', async () => {
    const { status, body } = await client.post('/v2/query', {
      filter: { entity: { type: 'company', industry: 'software' } },
      return: 'entities',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ items: [{ entity_name: 'Acme GmbH' }] });
  });

  it('lists merged companies once and shows nothing of other workspaces', async () => {
    const own = await hub.workspace();
    await record(own, 'hooli.com', [state('name', 'Hooli')]);
    await record(own, 'hooli.example', [state('industry', 'search')]);
    await record(own, 'gavin@hooli.example', [state('name', 'Gavin')]);
    await merge(own, 'hooli.com', 'hooli.example');
    const { body } = await list({}, own);
    expect(body.companies).toMatchObject([{ name: 'Hooli', domain: 'hooli.com', industry: 'search', people_count: 1 }]);
    expect((await list({ domain: 'hooli.example' }, own)).body.companies).toHaveLength(1);
    expect((await list({ domain: 'hooli.com' })).body.companies).toEqual([]);
  });
});

describe('GET /v2/companies/:id', () => {
  it('returns a company by any identifier or name, and no person', async () => {
    for (const id of ['acme.com', 'Acme GmbH'])
      expect(await client.get(`/v2/companies/${encodeURIComponent(id)}`)).toMatchObject({
        status: 200,
        body: { company: { name: 'Acme GmbH', people_count: 2 } },
      });
    for (const id of ['ada@acme.com', 'unknown.example'])
      expect(await client.get(`/v2/companies/${id}`)).toMatchObject({
        status: 404,
        body: { error: 'entity_not_found' },
      });
  });

  it('returns the candidates of an ambiguous name', async () => {
    const own = await hub.workspace();
    await record(own, 'vandelay.com', [state('name', 'Vandelay')]);
    await record(own, 'vandelay.example', [state('name', 'Vandelay')]);
    expect(await own.get('/v2/companies/vandelay')).toMatchObject({ body: { status: 'ambiguous', count: 2 } });
  });
});
