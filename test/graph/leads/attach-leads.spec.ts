import { account, type ErrorBody, event, record, state } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import { expectClaimsConsistent } from '../../support/graph/expect-claims-consistent.js';
import { listenTo, type Sent } from '../../support/database/statements.js';

type Row = Record<string, unknown> & { readonly id: string };
type Added = ErrorBody & {
  readonly list_id: string;
  readonly inserted: number;
  readonly counts: Record<string, number>;
  readonly results: (Row & {
    readonly status: string;
    readonly error?: { readonly error: string };
    readonly dedup?: Row;
  })[];
};
type Leads = ErrorBody & { readonly leads: Row[]; readonly next_cursor: string | null; readonly count?: number };

let hub: TestHub;
let client: Client;

hubForSuite(
  made => (client = made),
  started => (hub = started),
);

const nobody = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const attach = (body: object, headers = {}) => client.post<Added>('/v2/lead-lists/attach', body, headers);
const leads = (query: Record<string, string> = {}) => client.get<Leads>(`/v2/leads?${new URLSearchParams(query)}`);

it('attaches rows: each is found or made, a bad one fails no other, and again adds nobody', async () => {
  await record(client, 'known@acme.com', [state('name', 'Known')]);
  await record(client, 'https://linkedin.com/in/other', [state('name', 'Other')]);
  const rows = [
    { email: 'new@acme.com', name: 'New', fields: { opener: 'Hi' }, 'Full Name': 'kept' },
    { email: 'known@acme.com', title: 'CTO' },
    { email: 'known@acme.com', linkedin_url: 'https://linkedin.com/in/other' },
    { email: 'broken' },
    { name: 'Nobody' },
    { email: 'new@acme.com' },
  ];
  const body = { name: 'November', external_id: 'x', source: 'csv', rows };
  const log = listenTo(hub.database.pool);
  const first = await attach(body);
  expect(first.status).toBe(201);
  expect(first.body.results.map(({ status }) => status)).toEqual([
    'created',
    'matched',
    'ambiguous',
    'invalid',
    'invalid',
    'duplicate',
  ]);
  expect(first.body).toMatchObject({
    inserted: 2,
    duplicate_skipped: 1,
    skipped: 3,
    unresolved: 1,
    lead_list_id: first.body.list_id,
    counts: { attached: 2, created: 1, matched: 1, ambiguous: 1, invalid: 2, duplicate: 1 },
  });
  expect(first.body.results[1]).toMatchObject({ index: 1, identifier: 'known@acme.com', matched_on: 'email' });
  expect(first.body.results[0]).toHaveProperty('play');
  expect(first.body.results[2]!.error).toMatchObject({ error: 'identifier_conflict', entity_ids: expect.any(Array) });
  expect(first.body.results[4]!.error).toMatchObject({ error: 'identifier_required' });
  const again = await attach(body);
  expect(again.body).toMatchObject({ list_id: first.body.list_id, inserted: 0, counts: { duplicate: 3 } });
  const { body: list } = await leads({ list_id: first.body.list_id, sort: 'name', count: 'true' });
  expect(list.count).toBe(2);
  expect(list.leads[1]).toMatchObject({
    name: 'New',
    email: 'new@acme.com',
    status: 'pending',
    list_name: 'November',
    fields: { opener: 'Hi' },
    row: { 'Full Name': 'kept' },
    id: first.body.results[0]!['lead_id'],
    contact_id: first.body.results[0]!['entity_id'],
  });
  const sent = log
    .of('rapport_app')
    .flat()
    .map(({ values }) => JSON.stringify(values));
  const announced = sent.filter(values => values.includes('contact.imported'));
  expect(announced).toHaveLength(1);
  expect(announced[0]).toContain(String(first.body.results[0]!['entity_id']));
});

it('a blank cell of a row says nothing', async () => {
  const { body } = await attach({ name: 'L', rows: [{ email: 'a@acme.com', title: '', linkedin_url: ' ' }] });
  expect(body.counts).toMatchObject({ created: 1, invalid: 0 });
  expect(Object.keys((await account(client, 'a@acme.com')).claims)).not.toContain('title');
});

/** The transactions that added rows; those of plugins, which the events wake, are none of them. */
const attached = (transactions: readonly (readonly Sent[])[]) =>
  transactions.filter(sent => sent.some(({ sql }) => sql.includes('lead_lists')));

it('five statements for ten rows and for a thousand, known or new; one more with an Idempotency-Key', async () => {
  const log = listenTo(hub.database.pool);
  const isWork = ({ sql }: Sent) => !/^(BEGIN|COMMIT)|set_config/.test(sql.trim());
  const statementsFor = async (count: number, name: string, more: object = {}, headers = {}) => {
    const rows = Array.from({ length: count }, (_, i) => ({ email: `p${i}@few.com`, name: `P ${i}`, title: 'CTO' }));
    log.clear();
    const { body } = await attach(
      { name, rows: rows.map((row, i) => ({ ...row, ...more, phone: `+49 30 ${i}` })) },
      headers,
    );
    expect(body.results.filter(({ persisted }) => persisted)).toHaveLength(count);
    return attached(log.of('rapport_app')).map(all => all.filter(isWork).length);
  };
  expect(await statementsFor(10, 'few')).toEqual([5]);
  expect(await statementsFor(1000, 'many')).toEqual([5]);
  expect(await statementsFor(1000, 'known')).toEqual([5]);
  expect(await statementsFor(1000, 'known')).toEqual([5]);
  expect(await statementsFor(10, 'keyed', {}, { 'idempotency-key': 'k' })).toEqual([6]);
});

it('two identifiers of people who are new take no statement more', async () => {
  const log = listenTo(hub.database.pool);
  const rows = Array.from({ length: 10 }, (_, i) => ({
    email: `p${i}@two.com`,
    linkedin_url: `linkedin.com/in/two-${i}`,
  }));
  log.clear();
  const { body } = await attach({ name: 'Two', rows });
  expect(body.counts).toMatchObject({ created: 10 });
  const work = log
    .of('rapport_app')
    // The quotas are counted in the background, in a transaction of their own.
    .filter(all => !all.some(({ sql }) => sql.includes('usage_counters')))
    .map(all => all.filter(({ sql }) => !/^(BEGIN|COMMIT)|set_config/.test(sql.trim())));
  expect(work.map(all => all.length)).toEqual([5]);
  expect((await account(client, 'linkedin.com/in/two-3')).entity.id).toBe(body.results[3]!['entity_id']);
});

it('the score that attaching records is the one that a score call finds, for new people and their companies too', async () => {
  const icp = {
    fit: [
      { property: 'title', op: 'contains_any', value: ['cto'], weight: 2 },
      { property: 'headcount', on: 'company', op: 'between', value: [50, 500], weight: 2 },
      { property: 'industry', on: 'company', op: 'eq', value: 'Software', weight: 1 },
    ],
  };
  expect((await client.post('/v2/workspace/facts', { section: 'icp', content: icp })).status).toBe(201);
  await record(client, 'big.com', [state('headcount', 200)]);
  await record(client, 'ada@big.com', [state('title', 'Intern')]);
  const rows = [
    { email: 'new@big.com', title: 'CTO' },
    { email: 'ada@big.com', title: 'CTO' },
    { domain: 'other.com', headcount: 9 },
    { email: 'new@other.com', title: 'Clerk' },
  ];
  const { body } = await attach({ name: 'Scored', rows });
  const { leads: listed } = (await leads({ list_id: body.list_id })).body;
  for (const { entity_id, lead_id, priority, play } of body.results) {
    const { body: score } = await client.post<Row>('/v2/score', { focus: String(entity_id), dry_run: true });
    expect({ priority, play }).toEqual({ priority: score['priority'], play: score['play'] });
    expect(listed.find(({ id }) => id === lead_id)).toMatchObject({ priority, play });
    const { claims } = await account(client, String(entity_id));
    expect(claims['lead_score']!.value).toMatchObject({ priority, play });
  }
  expect(body.results.map(({ priority }) => priority)).toEqual(rows.map(() => expect.any(Number)));
  expect(body.results[0]!['priority']).toBeGreaterThan(50);
});

it('what attaching has folded is what the log gives, also where a score arrives late', async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await record(client, 'ada@late.com', [state('lead_score', { priority: 1 }, { observed_at: later })]);
  await record(client, 'ada@late.com', [state('title', 'CFO', { observed_at: later })]);
  const { body } = await attach({
    name: 'Late',
    rows: [{ email: 'ada@late.com', title: 'CTO' }, { email: 'bo@late.com' }],
  });
  expect(body.results.map(({ persisted }) => persisted)).toEqual([true, true]);
  await expectClaimsConsistent(hub.database.pool, client.workspaceId);
});

it('who is at an own domain of the workspace is a colleague: no company, no lead', async () => {
  const profile = { section: 'profile', content: { name: 'We', domains: ['we.com'] } };
  expect((await client.post('/v2/workspace/facts', profile)).status).toBe(201);
  const { entity_id } = await record(client, 'ann@mail.we.com', [state('title', 'AE')]);
  expect((await account(client, entity_id)).claims).not.toHaveProperty('company');
  expect((await client.get('/v2/accounts/we.com')).status).toBe(404);
  const rows = [{ email: 'ann@mail.we.com' }, { domain: 'www.we.com' }, { email: 'bo@them.com' }];
  const { body } = await attach({ name: 'L', rows });
  expect(body.results.map(({ status, error }) => [status, error?.error])).toEqual([
    ['invalid', 'own_domain'],
    ['invalid', 'own_domain'],
    ['created', undefined],
  ]);
  const dedup = await client.post<{ errors: object[] }>('/v2/dedup', { rows });
  expect(dedup.body).toMatchObject({
    summary: { total: 1 },
    errors: [{ error: 'own_domain' }, { error: 'own_domain' }],
  });
  const outsider = await hub.workspace();
  const theirs = await record(outsider, 'ann@mail.we.com', [state('title', 'AE')]);
  expect((await account(outsider, theirs.entity_id)).claims['company']!.value).toBe('we.com');
});

it('a dry run tells what would become of rows and adds none', async () => {
  await record(client, 'known@acme.com', [state('title', 'CTO')]);
  const rows = [{ email: 'new@acme.com' }, { email: 'known@acme.com' }, { email: 'broken' }];
  const { status, body } = await attach({ name: 'Dry', rows: [...rows, { email: 'NEW@acme.com' }], dry_run: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    list_id: null,
    dry_run: true,
    inserted: 2,
    counts: { created: 1, matched: 1, invalid: 1, duplicate: 1 },
  });
  expect(body.results.map(({ lead_id }) => lead_id)).toEqual([null, null, null, null]);
  expect(body.results[3]).toMatchObject({ status: 'duplicate', entity_id: null });
  expect((await leads()).body.leads).toEqual([]);
  expect((await client.get('/v2/people/new@acme.com')).status).toBe(404);
  expect((await client.get<{ lead_lists: [] }>('/v2/lead-lists')).body.lead_lists).toEqual([]);

  const { body: added } = await attach({ name: 'Wet', rows: [{ email: 'known@acme.com' }] });
  const again = {
    list_id: added.list_id,
    leads: [{ email: 'known@acme.com' }, { email: 'x@acme.com' }],
    dry_run: true,
  };
  const bulk = await client.post<Added>('/v2/leads', again);
  expect(bulk.body).toMatchObject({ list_id: added.list_id, duplicate_skipped: 1, inserted: 1, dry_run: true });
  const lead = `/v2/leads/${added.results[0]!.lead_id}`;
  const change = await client.patch(lead, { status: 'sent', title: 'CEO', dry_run: true });
  expect(change).toMatchObject({ status: 200, body: { lead: null, dry_run: true } });
  expect((await leads()).body.leads[0]).toMatchObject({ status: 'pending', title: 'CTO' });
  expect((await client.patch(`/v2/leads/${nobody}`, { status: 'sent', dry_run: true })).status).toBe(404);
});

it('attaching with an Idempotency-Key answers the same again', async () => {
  const send = () => attach({ name: 'L', rows: [{ email: 'a@acme.com' }] }, { 'idempotency-key': 'k' });
  const [first, replay] = [await send(), await send()];
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
  expect(replay.body).toMatchObject({ inserted: 1, results: [{ lead_id: first.body.results[0]!['lead_id'] }] });
});

it('attach tells of each row whether it may be written to, as it was before the row was added', async () => {
  await record(client, 'bo@gmail.com', [event('unsubscribed')]);
  await record(client, 'cy@gmail.com', [state('title', 'CTO')]);
  const emails = ['al@gmail.com', 'bo@gmail.com', 'cy@gmail.com', 'al@gmail.com'];
  const body = { name: 'Spring', rows: [...emails.map(email => ({ email })), { name: 'Nobody' }], dedup: true };
  const first = await attach(body);
  expect(first.status).toBe(201);
  expect(first.body.results.map(({ dedup }) => dedup?.['outcome'])).toEqual([
    'net_new',
    'unsubscribed',
    'net_new',
    'net_new',
    undefined,
  ]);
  expect(first.body.results[3]!.dedup).toMatchObject({ duplicate_of: 0 });
  const again = await attach({
    ...body,
    list_id: first.body.list_id,
    name: undefined,
  });
  expect(again.body.results[0]!.dedup).toMatchObject({ outcome: 'net_new', reason: 'known', lists: [] });
  const other = await attach({ ...body, name: 'Summer' });
  expect(other.body.results[0]!.dedup).toMatchObject({ outcome: 'engaged', reason: 'in_list' });
  const plain = await attach({ ...body, name: 'Autumn', dedup: false });
  expect(plain.body.results[0]).not.toHaveProperty('dedup');
});
