import { type ErrorBody, record, state } from '../../support/graph/graph-calls.js';
import { type Answer, type Client, startTestHub, type TestHub } from '../../support/hub.js';

type Row = { id: string; name: string; epistemics: Record<string, { confidence: number; freshness: string }> };
type Page = ErrorBody & { people: Row[]; next_cursor: string | null };

let hub: TestHub;
let client: Client;
beforeAll(async () => {
  hub = await startTestHub();
  client = await hub.workspace();
});
afterAll(() => hub?.end());

const DAY_MS = 86_400_000;
const ago = (days: number) => ({ observed_at: new Date(Date.now() - days * DAY_MS).toISOString() });

/** Walks a list page by page. */
async function walk(query: Record<string, string>, from: Client = client, limit = 2): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const params: Record<string, string> = { ...query, include: 'epistemics', limit: String(limit) };
    if (cursor !== null) params['cursor'] = cursor;
    const { status, body }: Answer<Page> = await from.get(`/v2/people?${new URLSearchParams(params)}`);
    expect({ status, body: status === 200 ? undefined : body }).toEqual({ status: 200, body: undefined });
    rows.push(...body.people);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return rows;
}
const names = (rows: readonly Row[]) => rows.map(({ name }) => name);

describe('a list of people sorted by the quality of a fact', () => {
  beforeAll(async () => {
    await record(client, 'ada@gmail.com', [
      state('name', 'Ada', ago(9)),
      state('city', 'Paris', { source: 'crm:x', ...ago(5) }),
      state('city', 'Paris', { source: 'linkedin', ...ago(4) }),
    ]);
    await record(client, 'bob@gmail.com', [
      state('name', 'Bob', ago(9)),
      state('city', 'Rome', { source: 'agent', ...ago(300) }),
    ]);
    await record(client, 'cyd@gmail.com', [
      state('name', 'Cyd', ago(9)),
      state('city', 'Oslo', { source: 'csv', ...ago(1) }),
    ]);
    await record(client, 'dan@gmail.com', [
      state('name', 'Dan', ago(9)),
      state('city', 'Bern', { source: 'crm:x', ...ago(3) }),
      state('city', null, { source: 'crm:x', ...ago(2) }),
    ]);
    await record(client, 'eve@gmail.com', [state('name', 'Eve', { source: 'csv', ...ago(9) })]);
  });

  it('shows the surest first or last, and rows without a value after them', async () => {
    const rows = await walk({ sort: '-city.confidence,name' });
    const confidence = rows.slice(0, 3).map(row => row.epistemics['city']!.confidence);
    expect(confidence).toEqual(confidence.toSorted((a, b) => b - a));
    expect(rows[0]!.name).toBe('Ada');
    expect(names(rows.slice(3))).toEqual(['Dan', 'Eve']);
    const ascending = await walk({ sort: 'city.confidence,name' });
    expect(ascending[2]!.name).toBe('Ada');
    expect(names(ascending.slice(3))).toEqual(['Dan', 'Eve']);
  });

  it('shows the facts first that go stale first, at every page size', async () => {
    const order = ['Bob', 'Ada', 'Cyd'];
    for (const limit of [1, 2, 100]) {
      const rows = await walk({ sort: 'city.freshness,name' }, client, limit);
      expect(names(rows)).toEqual([...order, 'Dan', 'Eve']);
      const descending = await walk({ sort: '-city.freshness,name' }, client, limit);
      expect(names(descending)).toEqual([...order.toReversed(), 'Dan', 'Eve']);
    }
  });

  it('reads a column as the fact that states it', async () => {
    expect(names(await walk({ sort: 'name.confidence,name' }))).toEqual(['Eve', 'Ada', 'Bob', 'Cyd', 'Dan']);
  });

  it('sorts as of a past time by what was known then', async () => {
    const as_of = ago(2.5).observed_at;
    expect(names(await walk({ sort: 'city.freshness,name', as_of }))).toEqual(['Bob', 'Ada', 'Dan', 'Cyd', 'Eve']);
  });

  it('exports in that order', async () => {
    const exported = await fetch(`${hub.url}/v2/people/export?sort=city.freshness,name&format=ndjson`, {
      headers: { authorization: `Bearer ${client.key}` },
    });
    const lines = (await exported.text()).trim().split('\n');
    expect(lines.map(line => (JSON.parse(line) as Row).name)).toEqual(['Bob', 'Ada', 'Cyd', 'Dan', 'Eve']);
  });

  it.each(['last_activity_at.confidence', '-city.freshness,city.freshness', 'city.certainty'])(
    'refuses %s, and says what is possible',
    async sort => {
      const { status, body } = await client.get<ErrorBody & { supported: string[] }>(
        `/v2/people?${new URLSearchParams({ sort })}`,
      );
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'unknown_sort' });
      expect(body.supported).toEqual(expect.arrayContaining(['<property>.confidence', '<property>.freshness']));
    },
  );
});

it('puts facts of an earlier job before those that are only old', async () => {
  const own = await hub.workspace();
  await record(own, 'ann@gmail.com', [
    state('name', 'Ann'),
    state('company', 'Acme', ago(200)),
    state('title', 'CTO', ago(20)),
    state('company', 'Umbrella', ago(10)),
  ]);
  await record(own, 'ben@gmail.com', [state('name', 'Ben'), state('title', 'CEO', ago(300))]);
  const rows = await walk({ sort: 'title.freshness' }, own);
  expect(names(rows)).toEqual(['Ann', 'Ben']);
  expect(rows[0]!.epistemics['title']!.freshness).toBe('suspect');
});
