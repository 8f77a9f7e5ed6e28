import { event, record, state } from '../../support/graph/graph-calls.js';
import type { ErrorBody } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { merge } from '../../support/graph/merge-calls.js';

type Row = Record<string, unknown> & { readonly id: string; readonly name: string | null };
type List = ErrorBody & {
  readonly people: Row[];
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
  await record(client, 'ada@acme.com', [
    state('name', 'Ada Lovelace'),
    state('title', 'VP Sales', { source: 'crm:hubspot' }),
    state('headcount', 120),
    state('technologies', ['Go', 'React']),
    state('linkedin_url', 'https://linkedin.com/in/ada'),
    state('lead_score', { priority: 70, icp_score: 82 }),
    event('call_held', { observed_at: '2026-11-01T10:00:00Z' }),
  ]);
  await record(client, 'bob@acme.com', [
    state('name', 'Bob'),
    state('title', 'Head of Sales', { observed_at: '2020-01-01' }),
    state('lead_score', { priority: 30, icp_score: 40 }),
    event('email_sent', { observed_at: '2026-01-01T10:00:00Z' }),
  ]);
  await record(client, 'https://linkedin.com/in/carl', [state('name', 'Carl'), state('title', null)]);
  await record(client, 'acme.com', [state('name', 'Acme')]);
});
afterAll(() => hub?.end());

const ask = (query: Record<string, string> = {}) => client.get<List>(`/v2/people?${new URLSearchParams(query)}`);
const names = async (query: Record<string, string>) => {
  const { status, body } = await ask(query);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.people.map(({ name }) => name);
};
const filter = (conditions: object) => names({ filter: JSON.stringify(conditions), sort: 'name' });

it('lists people and nobody else, the latest active first', async () => {
  const { status, body } = await ask();
  expect(status).toBe(200);
  expect(body.people.map(({ name }) => name)).toEqual(['Ada Lovelace', 'Bob', 'Carl']);
  expect(body).toMatchObject({ limit: 100, offset: 0, has_more: false, next_cursor: null });
  expect(body).not.toHaveProperty('count');
  expect(body.people[0]).toMatchObject({
    email: 'ada@acme.com',
    linkedin_url: 'https://linkedin.com/in/ada',
    title: 'VP Sales',
    job_title: 'VP Sales',
    company: 'acme.com',
    account: { name: 'Acme', domain: 'acme.com' },
    domain: 'acme.com',
    company_size: 120,
    icp_score: 82,
    icp_fit: true,
    last_activity_at: '2026-11-01T10:00:00.000000Z',
  });
  expect(body.people[0]!['entity_id']).toBe(body.people[0]!.id);
  expect(body.people[2]).toMatchObject({ email: null, title: null, linkedin_url: 'https://www.linkedin.com/in/carl' });
});

it('filters by parameters', async () => {
  expect(await names({ title: 'vp sales' })).toEqual(['Ada Lovelace']);
  expect(await names({ job_title: 'VP  Sales' })).toEqual(['Ada Lovelace']);
  expect(await names({ company: 'acme.com', sort: 'name' })).toEqual(['Ada Lovelace', 'Bob']);
  expect(await names({ account: 'acme.com', sort: '-name' })).toEqual(['Bob', 'Ada Lovelace']);
  expect(await names({ email: 'Ada <ada@acme.com>' })).toEqual(['Ada Lovelace']);
  expect(await names({ linkedin_url: 'de.linkedin.com/in/CARL/' })).toEqual(['Carl']);
  expect(await names({ has_email: 'false' })).toEqual(['Carl']);
  expect(await names({ has_linkedin: 'true', sort: 'name' })).toEqual(['Ada Lovelace', 'Carl']);
  expect(await names({ icp_fit: 'true' })).toEqual(['Ada Lovelace']);
  expect(await names({ icp_fit: 'false', sort: 'name' })).toEqual(['Bob', 'Carl']);
  expect(await names({ min_icp_score: '40', sort: 'icp_score' })).toEqual(['Ada Lovelace', 'Bob']);
  expect(await names({ last_activity_before: '100d' })).toEqual(['Bob', 'Carl']);
  expect(await names({ last_activity_after: '100d' })).toEqual(['Ada Lovelace']);
  expect(await names({ search: 'carl' })).toEqual(['Carl']);
  expect(await names({ search: 'LOVE' })).toEqual(['Ada Lovelace']);
  expect(await names({ technologies: 'react' })).toEqual(['Ada Lovelace']);
  expect(await names({ headcount: '120' })).toEqual(['Ada Lovelace']);
});

it('filters by what is claimed and by how it is known', async () => {
  expect(await filter({ title: { $contains: 'sales' } })).toEqual(['Ada Lovelace', 'Bob']);
  expect(await filter({ title: { $contains: 'sales', freshness: 'fresh' } })).toEqual(['Ada Lovelace']);
  expect(await filter({ title: { $contains: 'sales', freshness: 'aging' } })).toEqual([]);
  expect(await filter({ title: { $contains: 'sales', freshness: 'expired' } })).toEqual(['Bob']);
  expect(await filter({ title: { freshness: { $nin: ['fresh'] }, $starts_with: 'head' } })).toEqual(['Bob']);
  expect(await filter({ title: { confidence: { $gte: 0.8 } } })).toEqual(['Ada Lovelace']);
  expect(await filter({ title: { epistemic_class: { $in: ['reported', 'ended'] } } })).toEqual([
    'Ada Lovelace',
    'Carl',
  ]);
  expect(await filter({ title: { last_observed_at: { $lt: '-30d' } } })).toEqual(['Bob']);
  expect(await filter({ title: null })).toEqual(['Carl']);
  expect(await filter({ title: { $ne: 'VP Sales' } })).toEqual(['Bob', 'Carl']);
  expect(await filter({ $or: [{ name: 'bob' }, { headcount: { $gt: 100, $lte: 120 } }] })).toEqual([
    'Ada Lovelace',
    'Bob',
  ]);
  expect(
    await filter({ $not: { $and: [{ title: { $exists: true } }, { technologies: { $exists: false } }] } }),
  ).toEqual(['Ada Lovelace', 'Carl']);
  expect(await filter({ technologies: { $in: ['go', 'rust'] } })).toEqual(['Ada Lovelace']);
  expect(await filter({ last_activity_at: { $gte: '2026-10-01', $lt: '+1d' } })).toEqual(['Ada Lovelace']);
  expect(await filter({ email: { $contains: 'acme' } })).toEqual(['Ada Lovelace', 'Bob']);
  expect(await filter({})).toEqual(['Ada Lovelace', 'Bob', 'Carl']);
});

it('sorts by fields, properties and their combination, without a value last', async () => {
  expect(await names({ sort: '-name' })).toEqual(['Carl', 'Bob', 'Ada Lovelace']);
  expect(await names({ sort: 'title' })).toEqual(['Bob', 'Ada Lovelace', 'Carl']);
  expect(await names({ sort: '-title,name' })).toEqual(['Ada Lovelace', 'Bob', 'Carl']);
  expect(await names({ sort: 'icp_score_asc' })).toEqual(['Bob', 'Ada Lovelace', 'Carl']);
  expect(await names({ sort: 'recently_added' })).toEqual(['Carl', 'Bob', 'Ada Lovelace']);
  expect(await names({ sort: 'last_activity_asc' })).toEqual(['Bob', 'Ada Lovelace', 'Carl']);
  expect(await names({ sort: '-headcount,-icp_score' })).toEqual(['Ada Lovelace', 'Bob', 'Carl']);
});

it('pages by cursor and by offset', async () => {
  for (const sort of ['name', '-last_activity_at', 'title', '-headcount,-icp_score', '-created_at']) {
    const all = await names({ sort });
    const paged: (string | null)[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: List } = await ask({ sort, limit: '1', ...(cursor && { cursor }) });
      paged.push(...body.people.map(({ name }) => name));
      expect('offset' in body).toBe(!cursor);
      cursor = body.next_cursor;
    }
    expect(paged).toEqual(all);
    for (const offset of [0, 1, 2, 3]) expect(await names({ sort, offset: String(offset) })).toEqual(all.slice(offset));
    expect(await names({ sort, page: '2', limit: '2' })).toEqual(all.slice(2));
  }
});

it('counts, narrows and adds fields on request', async () => {
  const { body } = await ask({ count: 'true', limit: '1', fields: 'name,job_title,headcount', include: 'epistemics' });
  expect(body).toMatchObject({ count: 3, has_more: true });
  expect(Object.keys(body.people[0]!).toSorted()).toEqual(['epistemics', 'headcount', 'id', 'job_title', 'name']);
  expect(body.people[0]).toMatchObject({
    headcount: 120,
    epistemics: { title: { freshness: 'fresh', confidence: 0.85, epistemic_class: 'reported' } },
  });
  const claimsBehind = async (query: object) =>
    Object.keys((await ask({ ...query, include: 'epistemics', limit: '1' })).body.people[0]!['epistemics'] as object);
  expect((await claimsBehind({ fields: 'name,job_title,headcount' })).toSorted()).toEqual([
    'headcount',
    'name',
    'title',
  ]);
  expect((await claimsBehind({})).length).toBeGreaterThan(3);
  const { body: whole } = await ask({ include: 'claims,all', limit: '1' });
  expect(whole.people[0]!['claims']).toMatchObject({ technologies: { value: ['Go', 'React'], confidence: 0.75 } });
  expect((await ask({ limit: '5000' })).body.limit).toBe(1000);
});

it.each<[Record<string, string>, string, number?]>([
  [{ titel: 'x' }, 'unknown_query_param'],
  [{ 'Title!': 'x' }, 'unknown_query_param'],
  [{ sort: 'nobody!' }, 'unknown_sort'],
  [{ sort: 'never_stated' }, 'unknown_sort'],
  [{ sort: 'name,title,stage,status' }, 'unknown_sort'],
  [{ sort: 'email' }, 'unknown_sort'],
  [{ sort: 'technologies' }, 'unknown_sort'],
  [{ offset: '10001' }, 'offset_too_large'],
  [{ page: '12', limit: '1000' }, 'offset_too_large'],
  [{ cursor: 'nonsense' }, 'cursor_mismatch'],
  [{ cursor: Buffer.from('["x",["y"],"z"]').toString('base64url') }, 'cursor_mismatch'],
  [{ limit: '0' }, 'invalid_request'],
  [{ limit: '1.5' }, 'invalid_request'],
  [{ cursor: 'x', offset: '1' }, 'invalid_request'],
  [{ filter: '{' }, 'invalid_request'],
  [{ filter: '[]' }, 'invalid_request'],
  [{ filter: '{"title":{"$like":"x"}}' }, 'invalid_request'],
  [{ filter: '{"title":{"freshness":"new"}}' }, 'invalid_request'],
  [{ filter: '{"title":{"confidence":{"$gte":7}}}' }, 'invalid_request'],
  [{ filter: '{"created_at":{"freshness":"fresh"}}' }, 'invalid_request'],
  [{ filter: '{"created_at":{"$contains":"x"}}' }, 'invalid_request'],
  [{ filter: '{"created_at":{"$gt":"soon"}}' }, 'invalid_request'],
  [{ filter: '{"title":{}}' }, 'invalid_request'],
  [{ filter: '{"title":{"$in":[]}}' }, 'invalid_request'],
  [{ filter: '{"$and":{}}' }, 'invalid_request'],
  [{ email: 'nobody' }, 'invalid_request'],
  [{ account: 'Acme Inc' }, 'invalid_request'],
  [{ has_email: 'yes' }, 'invalid_request'],
  [{ min_icp_score: '101' }, 'invalid_request'],
  [{ last_activity_before: 'ever' }, 'invalid_request'],
  [{ include: 'everything' }, 'invalid_request'],
  [{ fields: 'a b' }, 'invalid_request'],
  [{ count: 'yes' }, 'invalid_request'],
  [{ title: 'a\0b' }, 'invalid_request'],
])('refuses %p as %s', async (query, code) => {
  const { status, body } = await ask(query);
  expect({ status, error: body.error }).toEqual({ status: 400, error: code });
  if (code === 'invalid_request') expect(body.details!.length).toBeGreaterThan(0);
  if (code.startsWith('unknown')) expect(body.supported!.length).toBeGreaterThan(3);
});

it('a cursor serves its own filter and order only', async () => {
  const { body } = await ask({ limit: '1', sort: 'name' });
  const cursor = body.next_cursor!;
  expect((await ask({ cursor, sort: 'name', limit: '2', count: 'true' })).status).toBe(200);
  const others: Record<string, string>[] = [{ sort: '-name' }, {}, { sort: 'name', title: 'x' }];
  for (const other of others) {
    expect((await ask({ cursor, ...other })).body.error).toBe('cursor_mismatch');
  }
});

it('a list of more than a thousand values is refused', async () => {
  const { body } = await ask({ filter: JSON.stringify({ title: { $in: Array<string>(1001).fill('x') } }) });
  expect(body.details).toMatchObject([{ field: 'filter.title.$in' }]);
});

it('a parameter that stands twice is refused', async () => {
  const { status, body } = await client.get<ErrorBody>('/v2/people?title=a&title=b');
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' });
});

it('reads one person, by any form, with what happened lately', async () => {
  const { status, body } = await client.get<{ person: Row }>('/v2/people/ada@acme.com');
  expect(status).toBe(200);
  expect(body.person).toMatchObject({
    name: 'Ada Lovelace',
    icp: { score: 82, fit: true },
    recent_activity: [{ property: 'interaction.call_held', type: 'call_held' }],
  });
  expect((await client.get<{ person: Row }>('/v2/people/Bob')).body.person.name).toBe('Bob');
  for (const id of ['nobody@acme.com', 'acme.com', 'Nobody', body.person['company_id']]) {
    const answer = await client.get<ErrorBody>(`/v2/people/${encodeURIComponent(String(id))}`);
    expect({ id, status: answer.status, error: answer.body.error }).toEqual({
      id,
      status: 404,
      error: 'entity_not_found',
    });
  }
});

it('as_of and known_at show people as they were', async () => {
  const other = await hub.workspace();
  const titled = (value: string | null, observed_at: string) => state('title', value, { observed_at });
  await record(other, 'ada@acme.com', [
    titled('CTO', '2025-01-01'),
    state('name', 'Ada', { observed_at: '2025-01-01' }),
  ]);
  await record(other, 'ada@acme.com', [titled('CEO', '2026-01-01'), event('call_held', { observed_at: '2026-02-01' })]);
  const { body: made } = await other.get<List>('/v2/people');
  const until = new Date().toISOString();
  await record(other, 'ada@acme.com', [titled('Chair', '2026-03-01')]);
  await record(other, 'bob@acme.com', [state('name', 'Bob')]);
  const list = (query: object) => other.get<List>(`/v2/people?${new URLSearchParams({ ...query })}`);
  const then = (await list({ as_of: '2025-06-01', email: 'ada@acme.com' })).body.people;
  expect(then).toMatchObject([{ title: 'CTO', name: 'Ada', last_activity_at: null, email: 'ada@acme.com' }]);
  expect((await list({ known_at: until, limit: '1000' })).body).toMatchObject({
    limit: 100,
    people: [{ title: 'CEO', last_activity_at: made.people[0]!['last_activity_at'] }],
  });
  const { body: added } = await other.post<{ list_id: string }>('/v2/leads', { list: 'L', email: 'ada@acme.com' });
  const leads = await other.get<ErrorBody & { leads: Row[] }>(`/v2/leads?as_of=2025-06-01&list_id=${added.list_id}`);
  expect(leads.body.leads).toMatchObject([{ title: 'CTO', status: 'pending' }]);
  expect(await list({ as_of: 'soon' })).toMatchObject({ status: 400, body: { details: [{ field: 'as_of' }] } });
});

it('account finds the people of companies that have become one, by every name', async () => {
  const other = await hub.workspace();
  await record(other, 'ada@acme.com', [state('name', 'Ada')]);
  await record(other, 'bob@acme.io', [state('name', 'Bob')]);
  const { body: gone } = await other.get<{ entity_id: string }>('/v2/accounts/acme.io');
  await merge(other, 'acme.com', 'acme.io');
  for (const account of ['acme.com', 'acme.io', gone.entity_id]) {
    const { body } = await other.get<List>(`/v2/people?account=${account}&sort=name`);
    expect(body.people.map(({ name, domain }) => [name, domain])).toEqual([
      ['Ada', 'acme.com'],
      ['Bob', 'acme.com'],
    ]);
  }
});
