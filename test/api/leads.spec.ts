import { account, type ErrorBody, event, record, state } from '../support/graph-calls.js';
import type { Client, TestHub } from '../support/hub.js';
import { hubForSuite } from '../support/hub-for-suite.js';
import { expectKeptIsFolded } from '../support/kept-claims.js';
import { merge } from '../support/merge-calls.js';
import { listenTo, type Sent } from '../support/statements.js';

type Row = Record<string, unknown> & { readonly id: string };
type Added = ErrorBody & {
  readonly list_id: string;
  readonly inserted: number;
  readonly counts: Record<string, number>;
  readonly results: (Row & { readonly status: string; readonly error?: { readonly error: string } })[];
};
type Leads = ErrorBody & { readonly leads: Row[]; readonly next_cursor: string | null; readonly count?: number };

let hub: TestHub;
let client: Client;

hubForSuite(
  made => (client = made),
  started => (hub = started),
);

const attach = (body: object, headers = {}) => client.post<Added>('/v2/lead-lists/attach', body, headers);
const leads = (query: Record<string, string> = {}) => client.get<Leads>(`/v2/leads?${new URLSearchParams(query)}`);
const change = (id: string, body: object) => client.patch<ErrorBody & { lead: Row }>(`/v2/leads/${id}`, body);
const names = async (query: Record<string, string>) => (await leads(query)).body.leads.map(({ name }) => name);

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

it('adds one flat row or many, to a list by id or name', async () => {
  const flat = await client.post<Added>('/v2/leads', { list: 'L', email: 'a@acme.com', seniority: 'vp', step: '1' });
  expect(flat).toMatchObject({ status: 201, body: { inserted: 1, results: [{ status: 'created' }] } });
  const { list_id } = flat.body;
  const many = [{ email: 'b@acme.com' }, { contact_id: flat.body.results[0]!['entity_id'] }];
  const bulk = await client.post<Added>('/v2/leads/bulk', { list_id, leads: many });
  expect(bulk.body).toMatchObject({ list_id, inserted: 1, duplicate_skipped: 1 });
  const twice = await client.post<Added>('/v2/leads', { list_id, email: 'a@acme.com', importDuplicates: true });
  expect(twice.body.inserted).toBe(1);
  expect((await leads({ list_id })).body.leads).toHaveLength(3);
  expect((await leads({ seniority: 'vp' })).body.leads).toHaveLength(2);
});

it('changes a lead; what was sent and who unsubscribed is recorded, once', async () => {
  const { body } = await client.post<Added>('/v2/leads', { list: 'L', email: 'a@acme.com', fields: { a: 1 } });
  const id = String(body.results[0]!['lead_id']);
  const sent = {
    sent_at: '2026-11-01T10:00:00Z',
    status: 'sent',
    scorecard_score: 0.72,
    fields: { b: 2 },
    title: 'CTO',
  };
  for (let i = 0; i < 2; i++) {
    const { status, body: changed } = await change(id, sent);
    expect(status).toBe(200);
    expect(changed.lead).toMatchObject({
      id,
      status: 'sent',
      sent_at: '2026-11-01T10:00:00.000000Z',
      scorecard_score: 0.72,
      priority: 72,
      fields: { a: 1, b: 2 },
      title: 'CTO',
    });
  }
  await change(id, { reply_outcome: 'unsubscribe' });
  await client.patch('/v2/leads', { id, reply_outcome: 'unsubscribe', replied_at: '2026-11-02' });
  const { claims, recent_observations } = await account(client, 'a@acme.com');
  const events = recent_observations.filter(({ kind }) => kind === 'event').map(o => [o.type, o.external_id]);
  expect(events.toSorted()).toEqual([
    ['email_sent', `lead:${id}:2026-11-01T10:00:00.000000Z`],
    ['unsubscribed', `lead:${id}:unsubscribed`],
  ]);
  expect(claims['do_not_contact']!.value).toBe(true);
  expect(claims['title']!.sources[0]).toMatchObject({ source: 'agent', method: 'assert' });
});

it('what a webhook tells later under the key that a change gave is not told twice', async () => {
  const { body } = await client.post<Added>('/v2/leads', { list: 'L', email: 'a@acme.com' });
  const id = String(body.results[0]!['lead_id']);
  const told = { external_id: '<m1@mail>', source: 'n8n' };
  await change(id, { status: 'sent', sent_at: '2026-11-01T10:00:00Z', ...told });
  const later = await record(client, 'a@acme.com', [event('email_sent', told)]);
  expect(later.recorded).toBe(0);
  const { claims, recent_observations } = await account(client, 'a@acme.com');
  expect(recent_observations.filter(({ kind }) => kind === 'event')).toMatchObject([{ type: 'email_sent', ...told }]);
  expect(Object.keys(claims)).not.toContain('external_id');
});

it('a blank cell of a row says nothing', async () => {
  const { body } = await attach({ name: 'L', rows: [{ email: 'a@acme.com', title: '', linkedin_url: ' ' }] });
  expect(body.counts).toMatchObject({ created: 1, invalid: 0 });
  expect(Object.keys((await account(client, 'a@acme.com')).claims)).not.toContain('title');
});

it('filters and sorts by columns of the lead and facts of the person', async () => {
  const rows = ['a', 'b', 'c'].map(name => ({ email: `${name}@acme.com`, name }));
  const { body } = await attach({ name: 'L', rows, score: false });
  const [a, b] = body.results.map(row => String(row['lead_id']));
  await change(a!, {
    sent_at: new Date(Date.now() - 5 * 86_400_000).toISOString(),
    scorecard_score: 0.9,
    status: 'sent',
  });
  await change(b!, { reply_outcome: 'interested', scorecard_score: 0.5, stage: 'demo' });
  expect(await names({ sort: 'score_desc' })).toEqual(['a', 'b', 'c']);
  expect(await names({ sort: 'created_asc' })).toEqual(['a', 'b', 'c']);
  expect(await names({ status: 'sent' })).toEqual(['a']);
  expect(await names({ stage: 'demo' })).toEqual(['b']);
  expect(await names({ has_replied: 'true' })).toEqual(['b']);
  expect(await names({ has_replied: 'false', sent_before: '2d', sort: 'name' })).toEqual(['a', 'c']);
  expect(await names({ sent_within: '7d' })).toEqual(['a']);
  expect(await names({ score_gte: '0.6' })).toEqual(['a']);
  expect(await names({ filter: '{"name":{"$in":["a","c"]},"priority":{"$exists":false}}' })).toEqual(['c']);
  for (const sort of ['-priority', 'priority,name', '-sent_at', 'name', '-created_at']) {
    const paged: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body: page }: { body: Leads } = await leads({ sort, limit: '1', ...(cursor && { cursor }) });
      paged.push(...page.leads.map(({ name }) => name));
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(await names({ sort }));
  }
});

it('lists are made, listed page by page, and taken away; the people stay', async () => {
  const made = await client.post<{ lead_list: Row }>('/v2/lead-lists', { name: 'L' });
  expect(made).toMatchObject({ status: 201, body: { lead_list: { name: 'L', source: 'manual', lead_count: 0 } } });
  const list_id = made.body.lead_list.id;
  await client.post('/v2/leads', { list_id, email: 'a@acme.com' });
  await client.post('/v2/lead-lists', { name: 'M' });
  type Lists = { lead_lists: Row[]; next_cursor: string | null };
  const first = await client.get<Lists>('/v2/lead-lists?limit=1');
  const second = await client.get<Lists>(`/v2/lead-lists?limit=1&cursor=${first.body.next_cursor}`);
  expect([...first.body.lead_lists, ...second.body.lead_lists].map(each => each['name'])).toEqual(['M', 'L']);
  expect(second.body.lead_lists[0]).toMatchObject({ lead_count: 1, columns: ['email'] });
  expect(await client.delete(`/v2/lead-lists/${list_id}`)).toMatchObject({ status: 200, body: { deleted: true } });
  expect((await leads()).body.leads).toEqual([]);
  expect((await client.get('/v2/people/a@acme.com')).status).toBe(200);
  expect((await client.delete(`/v2/lead-lists/${list_id}`)).status).toBe(404);
});

it('whoever was merged into another is found by what is claimed of them both', async () => {
  const rows = [{ email: 'al@one.com', title: 'CTO' }, { email: 'al@two.com' }, { email: 'bo@one.com' }];
  await attach({ name: 'Merged', rows });
  await merge(client, 'al@one.com', 'al@two.com');
  const found = async (filter: object) => {
    const { body } = await leads({ filter: JSON.stringify(filter) });
    return body.leads.map(({ entity_id }) => entity_id);
  };
  const both = await found({ title: 'CTO' });
  expect([both.length, new Set(both).size]).toEqual([2, 1]);
  expect(await found({ title: { $contains: 'ct' } })).toEqual(both);
  expect(await found({ $not: { title: 'CTO' } })).toHaveLength(1);
});

it('five statements for ten rows and for a thousand, whoever is in them; one more with an Idempotency-Key', async () => {
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
    return log.of('rapport_app').map(all => all.filter(isWork).length);
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
  await expectKeptIsFolded(hub.database.pool, client.workspaceId);
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
  const stranger = await hub.workspace();
  const theirs = await record(stranger, 'ann@mail.we.com', [state('title', 'AE')]);
  expect((await account(stranger, theirs.entity_id)).claims['company']!.value).toBe('we.com');
});

it('a dry run tells what would become of rows and adds none', async () => {
  await record(client, 'known@acme.com', [state('title', 'CTO')]);
  const rows = [{ email: 'new@acme.com' }, { email: 'known@acme.com' }, { email: 'broken' }];
  const { status, body } = await attach({ name: 'Dry', rows, dry_run: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    list_id: null,
    dry_run: true,
    inserted: 2,
    counts: { created: 1, matched: 1, invalid: 1 },
  });
  expect(body.results.map(({ lead_id }) => lead_id)).toEqual([null, null, null]);
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

/** One row more than a call may carry. */
const tooMany = Array.from({ length: 1001 }, () => ({}));
const nobody = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

it.each<[string, string, object, number, string]>([
  ['POST', '/v2/leads', { email: 'a@acme.com' }, 400, 'list_id_required'],
  ['POST', '/v2/leads', { list: 'L' }, 400, 'identifier_required'],
  ['POST', '/v2/leads', { list: 'L', email: 'broken' }, 400, 'invalid_request'],
  ['POST', '/v2/leads', { list: 'L', leads: [] }, 400, 'leads_array_required'],
  ['POST', '/v2/leads', { list: 'L', leads: 'x' }, 400, 'leads_array_required'],
  ['POST', '/v2/leads', { list_id: 'x', email: 'a@acme.com' }, 400, 'invalid_list_id'],
  ['POST', '/v2/leads', { list_id: nobody, email: 'a@acme.com' }, 404, 'list_not_found'],
  ['POST', '/v2/leads/bulk', { list: 'L', leads: tooMany }, 413, 'too_many'],
  ['POST', '/v2/lead-lists', {}, 400, 'name required'],
  ['POST', '/v2/lead-lists', { name: 'L', colour: 'x' }, 400, 'invalid_request'],
  ['POST', '/v2/lead-lists/attach', { name: 'L' }, 400, 'rows_required'],
  ['POST', '/v2/lead-lists/attach', { rows: [{}] }, 400, 'name_or_lead_list_id_required'],
  ['POST', '/v2/lead-lists/attach', { name: 'L', rows: tooMany }, 400, 'batch_too_large'],
  ['POST', '/v2/lead-lists/attach', { name: 'L', rows: [{}], mapping: { A: 'B C' } }, 400, 'invalid_request'],
  ['POST', '/v2/lead-lists/attach', { name: 'L', rows: [{}], what: 1 }, 400, 'invalid_request'],
  ['PATCH', '/v2/leads/x', { status: 'sent' }, 400, 'invalid_id'],
  ['PATCH', '/v2/leads', { status: 'sent' }, 400, 'invalid_id'],
  ['PATCH', `/v2/leads/${nobody}`, {}, 400, 'no_updatable_fields'],
  ['PATCH', `/v2/leads/${nobody}`, { status: 'sent' }, 404, 'lead_not_found'],
  ['PATCH', `/v2/leads/${nobody}`, { sent_at: 'soon' }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { scorecard_score: 2 }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { contact_id: 'x' }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { contact_id: null }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { status: null }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { status: ' ' }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { fields: null }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { status: 'sent', list_id: nobody }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { status: 'sent', external_id: 7 }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { status: 'sent', external_id: 'x', source: ' ' }, 400, 'invalid_request'],
])('%s %s %#', async (method, path, body, status, error) => {
  const answer = await (method === 'POST' ? client.post<ErrorBody>(path, body) : client.patch<ErrorBody>(path, body));
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error });
});

it('refuses what a list of leads does not know, and contacts that are nobody', async () => {
  expect((await leads({ list_id: 'x' })).body.error).toBe('invalid_list_id');
  expect((await leads({ colour_of_hair: 'x' })).body.error).toBe('unknown_query_param');
  expect((await leads({ score_gte: '2' })).body.error).toBe('invalid_request');
  expect((await leads({ sent_within: 'x' })).body.error).toBe('invalid_request');
  const deleted = await client.delete<ErrorBody>('/v2/lead-lists/x');
  expect(deleted.body.error).toBe('invalid_list_id');
  expect((await client.get<ErrorBody>('/v2/lead-lists?cursor=x')).body.error).toBe('cursor_mismatch');
  const { body } = await client.post<Added>('/v2/leads', { list: 'L', email: 'a@acme.com' });
  const gone = await change(String(body.results[0]!['lead_id']), { contact_id: nobody });
  expect(gone).toMatchObject({ status: 404, body: { error: 'entity_not_found' } });
});

it('attaching with an Idempotency-Key answers the same again', async () => {
  const send = () => attach({ name: 'L', rows: [{ email: 'a@acme.com' }] }, { 'idempotency-key': 'k' });
  const [first, replay] = [await send(), await send()];
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
  expect(replay.body).toMatchObject({ inserted: 1, results: [{ lead_id: first.body.results[0]!['lead_id'] }] });
});
