import { fileURLToPath } from 'node:url';
import { record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { listenTo } from '../../support/database/statements.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/listener', import.meta.url));

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
  client = await hub.workspace();
});
afterAll(() => hub?.end());

type Result = Readonly<Record<string, unknown>>;

/** Calls a method of the plugin's graph, by a route of its own. */
const call = (method: string, ...args: unknown[]) =>
  client.post<Result[]>('/v2/plugins/listener/graph', { call: method, args });
const title = (value: string, observed_at?: string) => ({
  kind: 'state',
  property: 'title',
  value,
  ...(observed_at && { observed_at }),
});
const readTitle = async (focus: string) =>
  (await client.get<{ claims: Record<string, { value: unknown }> }>(`/v2/accounts/${encodeURIComponent(focus)}`)).body
    .claims['title']?.value;

describe('graph.recordMany', () => {
  it('returns a result for each row, and records the others beside an invalid one', async () => {
    const { body } = await call('recordMany', [
      { focus: 'a@rows.example', observations: [title('CFO')] },
      { focus: 'No Address', observations: [title('CFO')] },
      { observations: [title('CFO')] },
      { focus: 'b@rows.example', observations: [{ kind: 'state', property: 'not a name', value: 1 }] },
      { external_id: 'r-4', observations: [title('CTO')] },
    ]);
    expect(body).toMatchObject([
      { entity_created: true, recorded: 1, duplicates: 0, conflicts: [] },
      { error: expect.any(String) },
      { error: 'A row needs `focus`, or `external_id` as the ID of the record.' },
      { error: expect.any(String), field: expect.stringContaining('property') },
      { entity_created: true, recorded: 1 },
    ]);
    expect(await readTitle('a@rows.example')).toBe('CFO');
    expect(await readTitle('external:listener:r-4')).toBe('CTO');
  });

  it('appends a changed value and one that returns later, and counts a repeat as a duplicate', async () => {
    const send = async (value: string, at: string) =>
      (await call('recordMany', [{ external_id: 'r-5', observations: [title(value, at)] }])).body[0]!;
    expect(await send('CFO', '2026-01-01T00:00:00Z')).toMatchObject({ recorded: 1, duplicates: 0 });
    expect(await send('CFO', '2026-01-01T00:00:00Z')).toMatchObject({ recorded: 0, duplicates: 1, conflicts: [] });
    expect(await send('CEO', '2026-02-01T00:00:00Z')).toMatchObject({ recorded: 1, duplicates: 0 });
    expect(await readTitle('external:listener:r-5')).toBe('CEO');
    expect(await send('CFO', '2026-03-01T00:00:00Z')).toMatchObject({ recorded: 1, duplicates: 0 });
    expect(await readTitle('external:listener:r-5')).toBe('CFO');
  });

  it('reports an observation whose own external_id exists with another value', async () => {
    const row = (value: string) => ({
      focus: 'c@rows.example',
      observations: [{ ...title(value, '2026-01-01T00:00:00Z'), external_id: 'mine' }],
    });
    await call('recordMany', [row('CFO')]);
    const { body } = await call('recordMany', [row('CEO')]);
    expect(body).toMatchObject([{ recorded: 0, conflicts: [{ index: 0, property: 'title', external_id: 'mine' }] }]);
    expect(await readTitle('c@rows.example')).toBe('CFO');
  });

  it('needs as many statements for eighty rows as for eight', async () => {
    const rows = (count: number, word: string) =>
      Array.from({ length: count }, (_, n) => ({ focus: `${word}${n}@many.example`, observations: [title('CTO')] }));
    const log = listenTo(hub.database.pool);
    const cost = async (count: number, word: string) => {
      log.clear();
      expect((await call('recordMany', rows(count, word))).body).toHaveLength(count);
      const writes = log.of('rapport_app').filter(sent => sent.some(({ sql }) => sql.includes('INTO observations')));
      return writes.flat().length;
    };
    await cost(1, 'warm');
    expect(await cost(80, 'large')).toBeLessThanOrEqual(await cost(8, 'small'));
  });

  it('returns 400 for more than 1000 rows', async () => {
    const rows = Array.from({ length: 1001 }, () => ({ focus: 'a@b.co', observations: [] }));
    expect(await call('recordMany', rows)).toMatchObject({ status: 400 });
  });
});

describe('graph.findMany', () => {
  it('returns the entity of each focus, null for an unknown one, and the people who share a number', async () => {
    const { entity_id } = await record(client, 'one@find.example', [state('name', 'One')]);
    await client.post('/v2/people', { email: 'x@find.example', name: 'Xenia', phone: '+493012345678' });
    await client.post('/v2/people', { email: 'y@find.example', name: 'Yann', phone: '+493012345678' });
    const { body } = await call('findMany', ['one@find.example', entity_id, 'no@find.example', 'tel:+493012345678']);
    expect(body).toMatchObject([
      { status: 'one', entity_id, type: 'person' },
      { status: 'one', entity_id, type: 'person' },
      null,
      { status: 'ambiguous', entity_ids: [expect.any(String), expect.any(String)] },
    ]);
  });

  it('returns null for what is no valid identifier', async () => {
    const long = { external: { system: 'hubspot', id: 'x'.repeat(400) } };
    const { status, body } = await call('findMany', ['a..b@find.example', long, 'one@find.example']);
    expect({ status, body }).toMatchObject({ status: 200, body: [null, null, { status: 'one' }] });
  });

  it('returns 400 for a bare name', async () => {
    expect(await call('findMany', ['Ada Byron'])).toMatchObject({ status: 400 });
  });
});

describe('graph.readMany', () => {
  it('returns identifiers and the requested claims with their sources, and null for an unknown ID', async () => {
    const { entity_id } = await record(client, 'read@many.example', [
      { ...state('title', 'CFO'), source: 'user', method: 'correction' },
      state('city', 'Berlin'),
      state('name', 'Rea Dee'),
    ]);
    await call('link', 'read@many.example', { system: 'hubspot', id: '801' });
    const unknown = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
    const { body } = await call('readMany', [entity_id, unknown], ['title', 'phone']);
    const title = { value: 'CFO', source: 'user', sources: ['user'], freshness: 'fresh', safe_to_use: true };
    expect(body).toMatchObject([
      {
        entity_id,
        type: 'person',
        name: 'Rea Dee',
        emails: ['read@many.example'],
        domains: [],
        external_ids: [{ system: 'hubspot', id: '801' }],
        claims: { title },
      },
      null,
    ]);
    expect(Object.keys(body[0]!['claims'] as object)).toEqual(['title']);
  });

  it('returns null as the value of a fact that has ended', async () => {
    const { entity_id } = await record(client, 'ended@many.example', [title('CFO', '2026-01-01T00:00:00Z')]);
    await record(client, 'ended@many.example', [{ ...title('CFO', '2026-02-01T00:00:00Z'), value: null }]);
    const { body } = await call('readMany', [entity_id], ['title']);
    expect(body).toMatchObject([{ claims: { title: { value: null, safe_to_use: false } } }]);
  });

  it('reads the one person that is left of a merge by either ID, with all addresses', async () => {
    const { entity_id: one } = await record(client, 'one@merged.example', [state('name', 'Mer Ged')]);
    const { entity_id: other } = await record(client, 'other@merged.example', [state('title', 'CTO')]);
    expect((await client.post('/v2/entities/merge', { a: one, b: other })).status).toBe(200);
    const { body } = await call('readMany', [one, other], ['title']);
    const merged = { emails: ['one@merged.example', 'other@merged.example'], claims: { title: { value: 'CTO' } } };
    expect(body).toMatchObject([merged, merged]);
  });

  it('returns 400 for an address, and for more than 100 properties', async () => {
    expect(await call('readMany', ['ada@acme.io'], ['title'])).toMatchObject({ status: 400 });
    const many = Array.from({ length: 101 }, (_, n) => `p${n}`);
    expect(await call('readMany', [], many)).toMatchObject({ status: 400 });
  });
});

describe('graph.link', () => {
  it('lets the ID of another system identify the entity, once and again', async () => {
    const { entity_id } = await record(client, 'link@find.example', [state('name', 'Lin Kay')]);
    const external = { system: 'hubspot', id: '501' };
    for (let n = 0; n < 2; n++)
      expect((await call('link', 'link@find.example', external)).body).toEqual({ entity_id, merge: null });
    expect((await call('findMany', [{ external }])).body).toMatchObject([{ status: 'one', entity_id }]);
  });

  it('returns 400 for an unknown entity and for an ID of another type', async () => {
    await record(client, 'typed@find.example', [state('name', 'Ty Ped')]);
    expect(await call('link', 'nobody@find.example', { system: 'hubspot', id: '9' })).toMatchObject({ status: 400 });
    const company = { system: 'hubspot', id: '9', type: 'company' };
    expect(await call('link', 'typed@find.example', company)).toMatchObject({ status: 400 });
  });
});

describe('graph.leads.add', () => {
  interface Added {
    readonly list_id: string | null;
    readonly results: readonly { lead_id?: string | null; added?: boolean; error?: string }[];
  }
  const UNKNOWN = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
  const add = async (...args: unknown[]) => (await call('leads.add', ...args)).body as unknown as Added;

  it('adds people to a list once and scores them, and publishes no import', async () => {
    const { entity_id } = await record(client, 'lead@rows.example', [state('title', 'CFO')]);
    const list = { name: 'By a plugin' };
    const rows = [{ entity_id, fields: { Booth: 'B12' } }, { entity_id }, { entity_id: UNKNOWN }];
    const preview = await add(list, rows, { dryRun: true });
    expect(preview).toEqual({
      list_id: null,
      results: [{ lead_id: null, added: true }, { lead_id: null, added: false }, { error: expect.any(String) }],
    });
    const log = listenTo(hub.database.pool);
    const first = await add(list, rows, { source: 'csv:fair' });
    expect(first.results).toMatchObject([{ added: true }, { added: false }, { error: expect.any(String) }]);
    const sent = log.of('rapport_app').flat();
    expect(sent.length).toBeGreaterThan(0);
    expect(JSON.stringify(sent.map(({ values }) => values))).not.toContain('contact.imported');
    const { body } = await client.get<{ leads: readonly object[] }>(`/v2/leads?list_id=${first.list_id}`);
    expect(body.leads).toMatchObject([{ entity_id, fields: { Booth: 'B12' }, priority: expect.any(Number) }]);
    expect(await add({ id: first.list_id }, [{ entity_id }])).toMatchObject({
      list_id: first.list_id,
      results: [{ added: false, lead_id: first.results[0]!.lead_id }],
    });
  });

  it('refuses an unknown list and too many leads in words', async () => {
    const send = (...args: unknown[]) =>
      client.post<{ detail: string }>('/v2/plugins/listener/graph', { call: 'leads.add', args });
    const unknown = await send({ id: UNKNOWN }, [{ entity_id: UNKNOWN }]);
    expect(unknown.body.detail).toContain('list');
    const many = Array.from({ length: 1_001 }, () => ({ entity_id: UNKNOWN }));
    const refused = await send({ name: 'x' }, many);
    expect(refused.body.detail).toContain('at most 1000 leads');
  });
});

describe('people.upsert of records', () => {
  const upsert = async (people: object[], options = {}) =>
    (await client.post<Result[]>('/v2/plugins/listener/people', { people, options })).body;

  it('says what matched, what was recorded and what is a duplicate', async () => {
    const row = { external_id: 'p-1', email: 'p1@up.example', title: 'CFO', observed_at: '2026-01-01T00:00:00Z' };
    expect(await upsert([row])).toMatchObject([{ created: true, matched_by: null, duplicates: 0, conflicts: [] }]);
    const [again] = await upsert([row]);
    expect(again).toMatchObject({ created: false, recorded: 0, conflicts: [] });
    expect(again!['matched_by']).toMatch(/^(?:email|external)$/);
  });

  it('previews with dryRun, and writes nothing', async () => {
    const [preview] = await upsert([{ external_id: 'p-2', email: 'p2@up.example', title: 'CFO' }], { dryRun: true });
    expect(preview).toMatchObject({ created: true, matched_by: null });
    expect((await call('findMany', ['p2@up.example'])).body).toEqual([null]);
  });
});

describe('companies.upsert', () => {
  const upsert = async (companies: object[], options = {}) =>
    (await client.post<Result[]>('/v2/plugins/listener/companies', { companies, options })).body;
  const claims = async (focus: string) =>
    (await client.get<{ type: string; claims: Record<string, { value: unknown }> }>(`/v2/accounts/${focus}`)).body;

  it('creates companies, says what matched, and appends what changed', async () => {
    const row = { external_id: 'co-1', domain: 'one.example', name: 'One', industry: 'Software', employees: 12 };
    const [created] = await upsert([{ ...row, observed_at: '2026-01-01T00:00:00Z' }]);
    expect(created).toMatchObject({ created: true, matched_by: null, recorded: 4, duplicates: 0, conflicts: [] });
    const [again] = await upsert([{ ...row, observed_at: '2026-01-01T00:00:00Z' }]);
    expect(again).toMatchObject({ created: false, matched_by: 'domain', recorded: 0, duplicates: 4 });
    const later = { external_id: 'co-1', employees: 20, observed_at: '2026-02-01T00:00:00Z' };
    expect(await upsert([later])).toMatchObject([{ matched_by: 'external', recorded: 1, duplicates: 0 }]);
    const { entity_id } = created as { entity_id: string };
    const account = await claims(entity_id);
    expect(account.claims).toMatchObject({ employees: { value: 20 }, industry: { value: 'Software' } });
    expect(await call('find', { external: { system: 'listener', id: 'co-1', type: 'company' } })).toMatchObject({
      body: { entity: { id: entity_id, type: 'company' } },
    });
  });

  it('takes further domains and a company page for the same company, also within one call', async () => {
    const results = await upsert([
      { domain: 'two.example', domains: ['two-labs.example'], linkedin_url: 'https://www.linkedin.com/company/two' },
      { domain: 'two-labs.example', location: 'Berlin' },
    ]);
    expect(results).toMatchObject([
      { created: true, matched_by: null },
      { created: false, matched_by: 'domain' },
    ]);
    expect(new Set(results.map(result => result['entity_id'])).size).toBe(1);
  });

  it('takes the IDs of other systems, and says that an address was ignored', async () => {
    const [first] = await upsert([{ domain: 'five.example', hubspot_id: '905', email: 'info@five.example' }]);
    expect(first).toMatchObject({ created: true, warnings: [{ field: 'email' }] });
    const [again] = await upsert([{ hubspot_id: '905', name: 'Five' }]);
    expect(again).toMatchObject({ entity_id: first!['entity_id'], matched_by: 'external' });
    const many = Array.from({ length: 21 }, (_, i) => `five${i}.example`);
    expect(await upsert([{ domains: many }])).toMatchObject([{ field: 'domains' }]);
  });

  it('answers each row by itself, with the field and the fix', async () => {
    await record(client, 'ada@three.example', [state('linkedin_url', 'https://www.linkedin.com/in/ada-three')]);
    const results = await upsert([
      { name: 'Nameless' },
      { domain: 'not a domain' },
      { domain: 'three.example', linkedin_url: 'https://www.linkedin.com/in/ada-three' },
      { domain: 'three.example', observed_at: 'yesterday' },
      { domain: 'three.example', name: 'Three' },
    ]);
    expect(results.map(result => result['field'] ?? null)).toEqual([
      'domain',
      'domain',
      'linkedin_url',
      'observed_at',
      null,
    ]);
    expect(results[4]).toMatchObject({ matched_by: 'domain' });
  });

  it('previews with dryRun, and writes nothing', async () => {
    const [preview] = await upsert([{ domain: 'four.example', name: 'Four' }], { dryRun: true });
    expect(preview).toMatchObject({ created: true, matched_by: null, recorded: 2 });
    expect((await call('findMany', ['four.example'])).body).toEqual([null]);
  });

  it('refuses more than a thousand rows, and uses as many statements for ten rows as for one', async () => {
    const rows = (count: number, name: string) =>
      Array.from({ length: count }, (_, i) => ({ domain: `${name}${i}.example`, name: `${name} ${i}` }));
    const refused = await client.post('/v2/plugins/listener/companies', { companies: rows(1_001, 'many') });
    expect(refused.status).toBe(400);
    const log = listenTo(hub.database.pool);
    const cost = async (count: number, name: string) => {
      log.clear();
      expect(await upsert(rows(count, name))).toHaveLength(count);
      return log
        .of('rapport_app')
        .filter(sent => sent.some(({ sql }) => sql.includes('INTO observations')))
        .flat().length;
    };
    await cost(1, 'warm');
    expect(await cost(80, 'large')).toBeLessThanOrEqual(await cost(8, 'small'));
  });
});

describe('graph.people.upsert and graph.companies.upsert with a system', () => {
  const upsert = (what: string, rows: object[], options: object) => call(`${what}.upsert`, rows, options);

  it('identify a record by its ID in that system, and tell the same ID of two systems apart', async () => {
    const at = { observedAt: '2026-01-01T00:00:00Z', source: 'crm:hubspot' };
    const row = (title: string) => [{ external_id: '501', title }];
    await upsert('people', row('CFO'), { ...at, system: 'hubspot' });
    await upsert('people', row('CTO'), { ...at, system: 'attio' });
    expect(await readTitle('external:hubspot:501')).toBe('CFO');
    expect(await readTitle('external:attio:501')).toBe('CTO');
    const again = await upsert('people', row('CFO'), { ...at, system: 'hubspot' });
    expect(again.body).toMatchObject([{ matched_by: 'external', recorded: 0, duplicates: 1 }]);
    await upsert('companies', [{ external_id: '77', domain: 'ids.example' }], { ...at, system: 'hubspot' });
    expect((await client.get('/v2/accounts/external:company:hubspot:77')).status).toBe(200);
  });

  it('refuse a name that no system can have', async () => {
    const { status, body } = await upsert('people', [{ external_id: '1' }], { system: 'Hub Spot' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ detail: expect.stringContaining('system must be a name in lower case') });
  });
});
