import { parse } from 'csv-parse/sync';
import { event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

type Line = Record<string, string>;

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub();
  client = await hub.workspace();
  await record(client, 'ada@acme.com', [
    state('name', 'Ada, "the first"'),
    state('title', '=HYPERLINK("https://evil.example")', { source: 'crm:hubspot' }),
    state('shoe_size', '43', { source: 'agent:sizer' }),
    event('call_held'),
  ]);
  await record(client, 'bob@acme.com', [state('name', 'Bob'), state('title', 'VP Sales')]);
  await record(client, 'acme.com', [state('name', 'Acme GmbH'), state('industry', 'software')]);
  await client.post('/v2/leads', { list: 'Autumn', email: 'ada@acme.com' });
});
afterAll(() => hub?.end());

const download = (path: string, query: Record<string, string> = {}, key = client.key) =>
  fetch(`${hub.url}${path}?${new URLSearchParams(query)}`, { headers: { authorization: `Bearer ${key}` } });
const readCsv = async (path: string, query: Record<string, string> = {}) =>
  parse<Line>(await (await download(path, query)).text(), { columns: true });

describe('GET /v2/people/export', () => {
  it('returns a CSV file with a header and one line per person', async () => {
    const response = await download('/v2/people/export');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="people.csv"');
    const lines = parse<Line>(await response.text(), { columns: true });
    expect(lines.map(({ email }) => email).toSorted()).toEqual(['ada@acme.com', 'bob@acme.com']);
    expect(lines.find(({ email }) => email === 'ada@acme.com')).toMatchObject({ name: 'Ada, "the first"', city: '' });
  });

  it('returns the chosen columns in order, with properties that are no field', async () => {
    const text = await (await download('/v2/people/export', { fields: 'email,shoe_size', sort: 'name' })).text();
    expect(text).toBe('email,shoe_size\r\nada@acme.com,43\r\nbob@acme.com,\r\n');
  });

  it('returns only what matches the filter', async () => {
    const filter = JSON.stringify({ title: { $contains: 'vp' } });
    expect(await readCsv('/v2/people/export', { fields: 'email', filter })).toEqual([{ email: 'bob@acme.com' }]);
  });

  it('marks values that a spreadsheet program would take for a formula', async () => {
    const [ada] = await readCsv('/v2/people/export', { fields: 'title', filter: '{"email":"ada@acme.com"}' });
    expect(ada!['title']).toMatch(/^'=HYPERLINK/);
  });

  it('adds confidence, freshness and source beside each claim', async () => {
    const query = { fields: 'email,title,shoe_size', include: 'epistemics', filter: '{"email":"ada@acme.com"}' };
    const [ada] = await readCsv('/v2/people/export', query);
    expect(Object.keys(ada!)).toEqual(
      ['email', 'title', 'shoe_size'].flatMap(name => [
        name,
        `${name}_confidence`,
        `${name}_freshness`,
        `${name}_source`,
      ]),
    );
    expect(ada).toMatchObject({
      title_freshness: 'fresh',
      title_source: 'crm:hubspot',
      shoe_size_source: 'agent:sizer',
    });
    expect(Number(ada!['title_confidence'])).toBeGreaterThan(0);
  });

  it('returns NDJSON with the evidence as an object', async () => {
    const query = { fields: 'email,title', include: 'epistemics', format: 'ndjson', sort: 'name' };
    const response = await download('/v2/people/export', query);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const rows = (await response.text())
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as object);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({
      email: 'bob@acme.com',
      title: 'VP Sales',
      epistemics: { title: { freshness: 'fresh' } },
    });
  });

  it('returns the values of a past time', async () => {
    const lines = await readCsv('/v2/people/export', { fields: 'email,title', as_of: '2020-01-01T00:00:00Z' });
    expect(lines.map(({ title }) => title)).toEqual(['', '']);
  });

  it('returns only the header where nobody matches', async () => {
    const response = await download('/v2/people/export', { fields: 'email', filter: '{"email":"nobody@acme.com"}' });
    expect(await response.text()).toBe('email\r\n');
  });

  it.each([
    ['limit', { limit: '5' }],
    ['cursor', { cursor: 'x' }],
    ['count', { count: 'true' }],
    ['format', { format: 'xlsx' }],
    ['include', { include: 'claims' }],
    ['fields', { fields: 'no_such_property' }],
  ])('returns 400 that names %s', async (field, query) => {
    const response = await download('/v2/people/export', query);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request', details: [{ field }] });
  });

  it('returns nothing of another workspace', async () => {
    const other = await hub.workspace();
    expect(await (await download('/v2/people/export', { fields: 'email' }, other.key)).text()).toBe('email\r\n');
  });
});

describe('an export of more than one page', () => {
  it('has each row once', async () => {
    const acme = await hub.workspace();
    const people = Array.from({ length: 600 }, (_, i) => ({ email: `p${i}@acme.com` }));
    for (const leads of [people.slice(0, 300), people.slice(300)])
      expect((await acme.post('/v2/leads/bulk', { list: 'All', leads })).status).toBe(201);
    const text = await (await download('/v2/leads/export', { fields: 'email' }, acme.key)).text();
    const emails = text.trimEnd().split('\r\n').slice(1);
    expect(emails).toHaveLength(people.length);
    expect(new Set(emails)).toEqual(new Set(people.map(({ email }) => email)));
  });
});

describe('GET /v2/companies/export', () => {
  it('returns companies with the source of each claim', async () => {
    const [acme] = await readCsv('/v2/companies/export', { include: 'epistemics' });
    expect(acme).toMatchObject({ name: 'Acme GmbH', domain: 'acme.com', industry: 'software', people_count: '2' });
    expect(acme!['industry_source']).not.toBe('');
  });
});

describe('GET /v2/leads/export', () => {
  it('returns leads with the columns of their person', async () => {
    const [lead] = await readCsv('/v2/leads/export', { fields: 'list_name,email,title', include: 'epistemics' });
    expect(lead).toMatchObject({ list_name: 'Autumn', email: 'ada@acme.com', title_source: 'crm:hubspot' });
  });
});
