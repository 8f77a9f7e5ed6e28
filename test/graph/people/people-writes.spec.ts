import { account, type ErrorBody, record, state } from '../../support/graph/graph-calls.js';
import type { Client } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';

type Written = ErrorBody & {
  readonly person: Record<string, unknown> | null;
  readonly entity_id: string;
  readonly created: boolean;
  readonly matched_on?: string;
  readonly claims_written: number;
  readonly claims_recomputed: string[];
  readonly dry_run?: true;
  readonly entity_ids?: string[];
};

let client: Client;

hubForSuite(made => (client = made));

const create = (body: object, headers = {}) => client.post<Written>('/v2/people', body, headers);
const change = (id: string, body: object) => client.patch<Written>(`/v2/people/${encodeURIComponent(id)}`, body);

it('makes a person, states every field as an observation, and matches them afterwards', async () => {
  const first = await create({ email: 'Ada <ada@acme.com>', name: 'Ada', job_title: 'CTO', favourite_colour: 'blue' });
  expect(first.status).toBe(201);
  expect(first.body).toMatchObject({
    created: true,
    claims_written: 4,
    claims_recomputed: ['email', 'favourite_colour', 'name', 'title'],
    person: { email: 'ada@acme.com', name: 'Ada', title: 'CTO', company: 'acme.com', id: first.body.entity_id },
  });
  expect(first.body).not.toHaveProperty('matched_on');
  const { claims } = await account(client, 'ada@acme.com');
  expect(claims['title']).toMatchObject({
    value: 'CTO',
    confidence: 0.85,
    sources: [{ source: 'form', method: 'api' }],
  });

  const again = await create({ email: 'ada@acme.com', linkedin_url: 'linkedin.com/in/ada', source: 'enrichment:x' });
  expect({ ...again.body, status: again.status }).toMatchObject({
    status: 200,
    created: false,
    matched_on: 'email',
    entity_id: first.body.entity_id,
  });
  const byProfile = await create({ linkedin_url: 'https://www.linkedin.com/in/Ada/', hubspot_id: 501 });
  expect(byProfile.body).toMatchObject({ matched_on: 'linkedin', entity_id: first.body.entity_id });
  const byForeignId = await create({ hubspot_id: '501', seniority: 'c_suite' });
  expect(byForeignId.body).toMatchObject({ matched_on: 'external', entity_id: first.body.entity_id });
});

it('takes several addresses: the first is the e-mail, each of them finds the person', async () => {
  const { body } = await create({
    email: ['a@acme.com', 'b@acme.com'],
    personal_email: 'a@gmail.com',
    other_email: null,
  });
  for (const address of ['a@acme.com', 'b@acme.com', 'a@gmail.com']) {
    expect((await create({ email: address })).body.entity_id).toBe(body.entity_id);
  }
  expect(body.person).toMatchObject({ email: 'a@acme.com' });
});

it('a domain alone makes a company', async () => {
  const { body } = await create({ domain: 'www.acme.com', name: 'Acme' });
  expect(body).toMatchObject({ created: true, person: { name: 'Acme' } });
  expect((await account(client, 'acme.com')).type).toBe('company');
});

it('asserts facts of somebody who is there, by path and by body; null ends', async () => {
  const { body } = await create({ email: 'ada@acme.com', title: 'CTO' });
  const changed = await change('ada@acme.com', { title: 'CEO', fields: { seniority: 'c_suite' } });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ entity_id: body.entity_id, claims_written: 2, person: { title: 'CEO' } });
  const { claims } = await account(client, 'ada@acme.com');
  expect(claims['seniority']!.sources[0]).toMatchObject({ source: 'agent', method: 'assert' });
  const byBody = await client.patch<Written>('/v2/people', { focus: body.entity_id, phone: '+49 30 1' });
  expect(byBody.body.person).toMatchObject({ phone: '+49 30 1' });
  const byAddress = await client.patch<Written>('/v2/people', { email: 'ada@acme.com', fields: { title: null } });
  expect(byAddress.body.person).toMatchObject({ title: null, email: 'ada@acme.com' });
  const ended = await change(body.entity_id, { email: null });
  expect(ended.body.person).toMatchObject({ email: null });
});

it('a blank field says nothing, as a form sends it; a null identifier neither, but null ends an address that is a fact', async () => {
  const blanks = { linkedin_url: '', emails: ['', ' '], hubspot_id: '', domain: ' ', title: ' ', phone: '' };
  const { status, body } = await create({ email: 'form@acme.com', name: 'Form', ...blanks, fields: { city: 'Rome' } });
  expect({ status, claims: body.claims_recomputed }).toEqual({ status: 201, claims: ['city', 'email', 'name'] });
  const nulls = { emails: null, work_email: null, hubspot_id: null };
  const again = await create({ email: 'form@acme.com', source: null, linkedin_url: null, title: null, ...nulls });
  expect(again.body.claims_recomputed).toEqual(['email', 'linkedin_url', 'title']);
  expect((await create(blanks)).body.error).toBe('identifier_required');
  const nothing = await change('form@acme.com', { ...nulls, title: ' ' });
  expect(nothing).toMatchObject({ status: 400, body: { error: 'no_updatable_fields' } });
  expect((await change('form@acme.com', { email: null })).body.claims_recomputed).toEqual(['email']);
});

it('identifiers of two people make them one where nothing speaks against it', async () => {
  const one = await create({ email: 'two@acme.com', title: 'CTO' });
  const other = await create({ linkedin_url: 'linkedin.com/in/two', city: 'Paris' });
  const row = { email: 'two@acme.com', linkedin_url: 'linkedin.com/in/two' };
  const merge = { status: 'merged', other_entity_id: other.body.entity_id, guards: [] };
  const rehearsed = await create({ ...row, dry_run: true });
  expect(rehearsed.body).toMatchObject({ created: false, merge, dry_run: true, person: null });
  expect((await account(client, 'linkedin.com/in/two')).entity_id).toBe(other.body.entity_id);
  const both = await create(row);
  expect(both).toMatchObject({ status: 200, body: { entity_id: one.body.entity_id, matched_on: 'email', merge } });
  expect(both.body.person).toMatchObject({ title: 'CTO', city: 'Paris' });
});

it('a row of another system tells who two people are as well', async () => {
  const one = await create({ email: 'ext@acme.com' });
  const other = await create({ hubspot_id: 77 });
  const changed = await change('ext@acme.com', { hubspot_id: '77' });
  expect(changed).toMatchObject({ status: 200, body: { entity_id: one.body.entity_id } });
  expect((await account(client, other.body.entity_id)).entity_id).toBe(one.body.entity_id);
});

it('identifiers of two people who are kept apart return a conflict that names both', async () => {
  const one = await create({ email: 'one@acme.com', linkedin_url: 'linkedin.com/in/one' });
  const other = await create({ linkedin_url: 'linkedin.com/in/other' });
  const ids = [one.body.entity_id, other.body.entity_id].toSorted();
  const both = await create({ email: 'one@acme.com', linkedin_url: 'linkedin.com/in/other' });
  expect(both).toMatchObject({ status: 409, body: { error: 'identifier_conflict', entity_ids: ids } });
  expect(both.body).toMatchObject({ guards: ['different_linkedin'] });
  const weak = await create({ email: 'one@acme.com', linkedin_url: 'linkedin.com/in/other', source: 'csv' });
  expect(weak.body).toMatchObject({ error: 'identifier_conflict', guards: ['weak_source', 'different_linkedin'] });
  const asserted = await change('one@acme.com', { linkedin_url: 'linkedin.com/in/other' });
  expect(asserted).toMatchObject({ status: 409, body: { error: 'identifier_conflict', entity_ids: ids } });
});

it('a dry run changes nothing and says what would happen', async () => {
  const { status, body } = await create({ email: 'new@acme.com', title: 'CTO', dry_run: true });
  expect({ status, ...body }).toMatchObject({
    status: 200,
    dry_run: true,
    created: true,
    claims_written: 2,
    person: null,
  });
  expect((await client.get('/v2/people/new@acme.com')).status).toBe(404);
  await record(client, 'old@acme.com', [state('title', 'CTO')]);
  const known = await client.patch<Written>('/v2/people/old@acme.com', { title: 'x', dry_run: true });
  expect(known.body).toMatchObject({ dry_run: true, created: false, person: null });
  expect((await account(client, 'old@acme.com')).claims['title']!.value).toBe('CTO');
});

it('the same Idempotency-Key writes once', async () => {
  const send = () => create({ email: 'ada@acme.com', title: 'CTO' }, { 'idempotency-key': 'k' });
  const [first, replay] = [await send(), await send()];
  expect(replay.status).toBe(201);
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
  expect(replay.body).toEqual(first.body);
  const other = await create({ email: 'bob@acme.com' }, { 'idempotency-key': 'k' });
  expect(other).toMatchObject({ status: 409, body: { error: 'idempotency_conflict' } });
});

it.each<[object | string, string, string?]>([
  [{}, 'identifier_required'],
  [{ name: 'Ada' }, 'identifier_required'],
  [[], 'invalid_request', 'body'],
  ['{', 'invalid_json'],
  [{ email: 'nobody' }, 'invalid_request', 'email'],
  [{ email: 7 }, 'invalid_request', 'email'],
  [{ emails: Array(21).fill('a@acme.com') }, 'invalid_request', 'emails'],
  [{ linkedin_url: 'acme.com' }, 'invalid_request', 'linkedin_url'],
  [{ hubspot_id: {} }, 'invalid_request', 'hubspot_id'],
  [{ domain: 'x' }, 'invalid_request', 'domain'],
  [{ email: 'a@acme.com', 'Full Name': 'x' }, 'invalid_request', 'Full Name'],
  [{ email: 'a@acme.com', properties: [] }, 'invalid_request', 'properties'],
  [{ email: 'a@acme.com', properties: { 'X Y': 1 } }, 'invalid_request', 'X Y'],
  [{ email: 'a@acme.com', dry_run: 'yes' }, 'invalid_request', 'dry_run'],
  [{ email: 'a@acme.com', dry_run: null }, 'invalid_request', 'dry_run'],
  [{ email: 'a@acme.com', properties: null }, 'invalid_request', 'properties'],
  [{ email: 'a@acme.com', fields: null }, 'invalid_request', 'fields'],
  [{ email: 'a@acme.com', source: 7 }, 'invalid_request', 'source'],
  [{ email: 'a@acme.com', source: ' ' }, 'invalid_request', 'source'],
])('POST refuses %j as %s', async (body, error, field = '') => {
  const answer = await client.post<ErrorBody>('/v2/people', body);
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 400, error });
  if (field) expect(answer.body.details!.map(each => each.field)).toContain(field);
});

it.each<[string, object, number, string]>([
  ['Ada Lovelace', { title: 'x' }, 400, 'invalid_focus'],
  ['nobody@acme.com', { title: 'x' }, 404, 'entity_not_found'],
  ['01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17', { title: 'x' }, 404, 'entity_not_found'],
  ['a@acme.com', {}, 400, 'no_updatable_fields'],
  ['a@acme.com', { fields: 'x' }, 400, 'invalid_request'],
  ['a@acme.com', { focus: 'b@acme.com', title: 'x' }, 400, 'invalid_request'],
  ['a@acme.com', { focus: 'Ada', title: 'x' }, 400, 'invalid_focus'],
  ['a@acme.com', { focus: 'A@acme.com', title: 7, id: 7 }, 400, 'invalid_focus'],
])('PATCH %s with %j is %i %s', async (id, body, status, error) => {
  await create({ email: 'a@acme.com' });
  const answer = await change(id, body);
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error });
});

it('PATCH without anybody named is refused', async () => {
  expect((await client.patch<ErrorBody>('/v2/people', { title: 'x' })).body.error).toBe('identifier_required');
  expect((await client.patch<ErrorBody>('/v2/people', { focus: 'Ada', title: 'x' })).body.error).toBe('invalid_focus');
});
