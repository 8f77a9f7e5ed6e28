import { type ErrorBody, event, record, state } from '../../support/graph/graph-calls.js';
import { listenTo } from '../../support/database/statements.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

interface Property {
  readonly name: string;
  readonly label: string;
  readonly aliases: string[];
  readonly entities: string[];
  readonly is_stated: boolean;
  readonly value_types: string[];
  readonly many: boolean;
  readonly half_life_days: number | null;
  readonly conditions: string[];
  readonly sortable: boolean;
  readonly examples: unknown[];
}
type Page = ErrorBody & { properties: Property[]; has_more: boolean; next_cursor: string | null };

let hub: TestHub;
let client: Client;
beforeAll(async () => {
  hub = await startTestHub();
  client = await hub.workspace();
  await record(client, 'ada@gmail.com', [
    state('name', 'Ada'),
    state('title', 'CTO', { observed_at: '2026-01-01' }),
    state('title', 'CEO', { observed_at: '2026-06-01' }),
    state('technologies', ['Go']),
    state('shoe_size', 39),
    state('zodiac', 'Leo'),
    state('action_item.1', 'Send the deck'),
    event('call_held'),
  ]);
  await record(client, 'bob@gmail.com', [state('name', 'Bob'), state('shoe_size', 'large')]);
  await record(client, 'acme.com', [state('industry', 'Software'), state('fleet', { vans: 4 })]);
});
afterAll(() => hub?.end());

const list = async (query: Record<string, string> = {}) =>
  (await client.get<Page>(`/v2/properties?${new URLSearchParams(query)}`)).body;
const named = async (name: string, type = 'person') =>
  (await list({ type })).properties.find(property => property.name === name);

it('describes what observations state', async () => {
  expect(await named('title')).toEqual({
    name: 'title',
    label: 'Title',
    description: 'Job title.',
    format: 'text',
    aliases: ['job_title'],
    entities: ['person'],
    is_stated: true,
    value_types: ['text'],
    many: false,
    half_life_days: 720,
    conditions: expect.arrayContaining(['$eq', '$contains', '$gte', 'freshness', 'confidence']),
    sortable: true,
    examples: ['CEO', 'CTO'],
  });
  expect(await named('shoe_size')).toMatchObject({
    description: null,
    value_types: ['number', 'text'],
    half_life_days: 365,
    entities: ['person'],
  });
  expect(await named('technologies')).toMatchObject({ many: true, sortable: false, examples: [['Go']] });
  expect(await named('fleet', 'company')).toMatchObject({ value_types: ['object'], examples: [] });
});

it('lists what means something to the service even if nobody stated it', async () => {
  expect(await named('linkedin_url')).toMatchObject({
    label: 'LinkedIn URL',
    is_stated: false,
    value_types: [],
    examples: [],
    sortable: false,
    half_life_days: null,
  });
});

it('tells the half-lives that the workspace has set', async () => {
  const own = await hub.workspace();
  await own.post('/v2/workspace/trust', { half_lives: { title: 90 } });
  const { body } = await own.get<Page>('/v2/properties?search=title');
  expect(body.properties).toMatchObject([{ name: 'title', half_life_days: 90 }]);
});

it('keeps people and companies apart', async () => {
  expect(await named('fleet')).toBeUndefined();
  expect(await named('zodiac', 'company')).toBeUndefined();
  expect(await named('industry', 'company')).toMatchObject({ is_stated: true });
});

it('leaves out interactions and action items', async () => {
  const { properties } = await list({ limit: '500' });
  expect(properties.filter(({ name }) => name.includes('.'))).toEqual([]);
});

it('names only conditions and orders that the list takes', async () => {
  for (const [type, path] of [
    ['person', '/v2/people'],
    ['company', '/v2/companies'],
  ] as const)
    for (const { name, conditions, sortable } of (await list({ type })).properties) {
      const comparisons = ['$gt', '$contains'].map(async op => {
        const filter = JSON.stringify({ [name]: { [op]: 'a' } });
        const { status } = await client.get(`${path}?${new URLSearchParams({ filter })}`);
        // Numbers are compared with numbers, so a text may be refused where the operator is known.
        if (!conditions.includes(op)) expect({ name, op, status }).toEqual({ name, op, status: 400 });
        else if (op === '$contains') expect({ name, op, status }).toEqual({ name, op, status: 200 });
      });
      await Promise.all(comparisons);
      const { status, body } = await client.get<ErrorBody>(`${path}?sort=${name}`);
      if (sortable) expect({ name, status }).toEqual({ name, status: 200 });
      else expect({ name, error: body.error }).toEqual({ name, error: 'unknown_sort' });
    }
});

it('pages by name, each property once', async () => {
  const whole = (await list({ limit: '500' })).properties.map(({ name }) => name);
  expect(whole).toEqual(whole.toSorted());
  const walked: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Page = await list({ limit: '3', ...(cursor && { cursor }) });
    walked.push(...page.properties.map(({ name }) => name));
    expect(page.has_more).toBe(page.next_cursor !== null);
    cursor = page.next_cursor;
  }
  expect(walked).toEqual(whole);
});

it('finds properties by a part of their name', async () => {
  expect((await list({ search: 'Shoe S' })).properties.map(({ name }) => name)).toEqual(['shoe_size']);
});

it('refuses an unknown type and names the field', async () => {
  const { status, body } = await client.get<ErrorBody>('/v2/properties?type=deal');
  expect({ status, field: body.details?.[0]?.field }).toEqual({ status: 400, field: 'type' });
});

it('shows nothing of another workspace', async () => {
  const other = await hub.workspace();
  const { body } = await other.get<Page>('/v2/properties?limit=500');
  expect(body.properties.filter(({ is_stated }) => is_stated)).toEqual([]);
});

it('jumps from name to name, whatever the number of observations', async () => {
  const log = listenTo(hub.database.pool);
  await list();
  const [sent, ...others] = log
    .of('rapport_app')
    .flat()
    .filter(({ sql }) => sql.includes('WITH RECURSIVE names'));
  expect(others).toEqual([]);
  const plan = await hub.database.work.run(client.workspaceId, tx =>
    tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sent!.sql}`, sent!.values as unknown[]),
  );
  const lines = plan.map(row => row['QUERY PLAN']).filter(line => line.includes(' on observation_log'));
  expect(lines).not.toEqual([]);
  expect(lines.filter(line => !line.includes('observations_by_property'))).toEqual([]);
});
