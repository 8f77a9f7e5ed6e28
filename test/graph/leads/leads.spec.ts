import { account, type ErrorBody, event, record } from '../../support/graph/graph-calls.js';
import type { Client } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import { merge } from '../../support/graph/merge-calls.js';

type Row = Record<string, unknown> & { readonly id: string };
type Added = ErrorBody & {
  readonly list_id: string;
  readonly inserted: number;
  readonly counts: Record<string, number>;
  readonly results: (Row & { readonly status: string; readonly error?: { readonly error: string } })[];
};
type Leads = ErrorBody & { readonly leads: Row[]; readonly next_cursor: string | null; readonly count?: number };

let client: Client;

hubForSuite(made => (client = made));

const attach = (body: object, headers = {}) => client.post<Added>('/v2/lead-lists/attach', body, headers);
const leads = (query: Record<string, string> = {}) => client.get<Leads>(`/v2/leads?${new URLSearchParams(query)}`);
const change = (id: string, body: object) => client.patch<ErrorBody & { lead: Row }>(`/v2/leads/${id}`, body);
const names = async (query: Record<string, string>) => (await leads(query)).body.leads.map(({ name }) => name);

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

it('a webhook that repeats the key of a change is recorded once', async () => {
  const { body } = await client.post<Added>('/v2/leads', { list: 'L', email: 'a@acme.com' });
  const id = String(body.results[0]!['lead_id']);
  const received = { external_id: '<m1@mail>', source: 'n8n' };
  await change(id, { status: 'sent', sent_at: '2026-11-01T10:00:00Z', ...received });
  const later = await record(client, 'a@acme.com', [event('email_sent', received)]);
  expect(later.recorded).toBe(0);
  const { claims, recent_observations } = await account(client, 'a@acme.com');
  expect(recent_observations.filter(({ kind }) => kind === 'event')).toMatchObject([
    { type: 'email_sent', ...received },
  ]);
  expect(Object.keys(claims)).not.toContain('external_id');
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

it('rows are narrowed to fields of a row and to properties, also to those that nobody has stated for them', async () => {
  await client.post('/v2/leads', { list: 'L', email: 'a@acme.com', shoe_size: '44' });
  await client.post('/v2/leads', { list: 'L', email: 'b@acme.com' });
  const { body } = await leads({ fields: 'email,shoe_size,headcount,list_name', sort: 'created_asc' });
  expect(body.leads).toMatchObject([
    { email: 'a@acme.com', shoe_size: '44', headcount: null, list_name: 'L' },
    { email: 'b@acme.com', shoe_size: null, headcount: null, list_name: 'L' },
  ]);
  const whole = await leads();
  const every = Object.keys(whole.body.leads[0]!).join();
  expect((await leads({ fields: every })).body.leads.map(row => Object.keys(row).toSorted())).toEqual(
    whole.body.leads.map(row => Object.keys(row).toSorted()),
  );
  const people = await client.get<{ people: Row[] }>('/v2/people');
  const named = Object.keys(people.body.people[0]!).join();
  expect(await client.get(`/v2/people?fields=${named}`)).toMatchObject({ status: 200 });
  expect(await client.get('/v2/people?fields=hair')).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
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

it('a merged entity is found by the claims of both', async () => {
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
  ['PATCH', `/v2/leads/${nobody}`, { reply_outcome: 'unsubscribed' }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { reply_outcome: '' }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { contact_id: 'x' }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { contact_id: null }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { status: null }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { status: ' ' }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { fields: null }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { status: 'sent', list_id: nobody }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { status: 'sent', id: nobody.replace('0', '1') }, 400, 'invalid_request'],
  ['PATCH', `/v2/leads/${nobody}`, { status: 'sent', id: nobody.toUpperCase() }, 404, 'lead_not_found'],
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
  expect((await leads({ reply_outcome: 'unsubscribed' })).body).toMatchObject({
    error: 'invalid_request',
    details: [{ field: 'reply_outcome', message: expect.stringContaining('unsubscribe') }],
  });
  expect((await leads({ fields: 'email,hair' })).body).toMatchObject({
    error: 'invalid_request',
    details: [{ field: 'fields', message: expect.stringContaining('"hair"') }],
  });
  const deleted = await client.delete<ErrorBody>('/v2/lead-lists/x');
  expect(deleted.body.error).toBe('invalid_list_id');
  expect((await client.get<ErrorBody>('/v2/lead-lists?cursor=x')).body.error).toBe('cursor_mismatch');
  const { body } = await client.post<Added>('/v2/leads', { list: 'L', email: 'a@acme.com' });
  const gone = await change(String(body.results[0]!['lead_id']), { contact_id: nobody });
  expect(gone).toMatchObject({ status: 404, body: { error: 'entity_not_found' } });
});
