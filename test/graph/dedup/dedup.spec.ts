import type { DedupResponse, DedupResult } from '#graph/dedup/dedup.presenter.js';
import { type ErrorBody, event, record, state } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import { listWith } from '../../support/graph/lead-rows.js';
import { merge } from '../../support/graph/merge-calls.js';

let hub: TestHub;
let acme: Client;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const ask = (body: object, client = acme) =>
  client.post<DedupResponse & ErrorBody & { max?: number }>('/v2/dedup', body);
async function dedup(body: object): Promise<DedupResponse> {
  const answer = await ask(body);
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  return answer.body;
}
const one = async (row: object, more: object = {}): Promise<DedupResult> =>
  (await dedup({ rows: [row], ...more })).results[0]!;

it('tells the four classes apart, with who it is and what they rest on', async () => {
  const bo = await record(acme, 'bo@x.com', [state('title', 'CTO')]);
  const cy = await record(acme, 'cy@x.com', [event('email_bounced')]);
  const di = await record(acme, 'di@x.com', [event('email_replied', { observed_at: ago(700) })]);
  const el = await record(acme, 'el@x.com', [event('unsubscribed'), event('email_replied')]);
  const rows = ['al', 'bo', 'cy', 'di', 'el'].map(name => ({ email: `${name}@x.com`, ref: name }));
  const { results, summary, errors } = await dedup({ rows });
  expect(results.map(({ ref, outcome, reason, entity_id }) => [ref, outcome, reason, entity_id])).toEqual([
    ['al', 'net_new', 'new', null],
    ['bo', 'net_new', 'known', bo.entity_id],
    ['cy', 'bounced', 'email_bounced', cy.entity_id],
    ['di', 'engaged', 'inbound', di.entity_id],
    ['el', 'unsubscribed', 'unsubscribed', el.entity_id],
  ]);
  expect(results.map(({ evidence }) => evidence?.observation_id)).toEqual([
    undefined,
    undefined,
    cy.observation_ids[0],
    di.observation_ids[0],
    el.observation_ids[0],
  ]);
  expect(summary).toEqual({ net_new: 2, engaged: 1, bounced: 1, unsubscribed: 1, total: 5 });
  expect(errors).toEqual([]);
});

it('takes three lists as well, and counts through them', async () => {
  await record(acme, 'https://linkedin.com/in/bo', [event('linkedin_replied')]);
  await record(acme, 'initech.com', [state('stage', 'negotiation')]);
  const lists = {
    emails: ['al@x.com', 'no address'],
    linkedin_urls: ['linkedin.com/in/bo/'],
    domains: ['initech.com'],
  };
  const { results, errors, summary } = await dedup(lists);
  expect(results).toMatchObject([
    { index: 0, kind: 'email', value: 'al@x.com', email: 'al@x.com', outcome: 'net_new', matched_on: null },
    { index: 2, kind: 'linkedin_url', outcome: 'engaged', reason: 'inbound', matched_on: 'linkedin_url', email: null },
    { index: 3, kind: 'domain', value: 'initech.com', outcome: 'engaged', reason: 'open_stage', matched_on: 'domain' },
  ]);
  expect(errors).toMatchObject([{ index: 1, error: 'invalid_identifier' }]);
  expect(summary.total).toBe(3);
});

it('a company is engaged when one of its people is, a person is not by the company', async () => {
  await record(acme, 'al@initech.com', [event('call_held')]);
  expect(await one({ domain: 'initech.com' })).toMatchObject({ outcome: 'engaged', reason: 'inbound' });
  expect(await one({ email: 'bo@initech.com' })).toMatchObject({ outcome: 'net_new', reason: 'new' });
});

it('is not engaged by page visits, opened mail and automatic replies, and is by what somebody did', async () => {
  const reply = (value: object) => event('email_replied', { value, observed_at: ago(3) });
  const quiet = [
    event('page_visited', { observed_at: ago(1) }),
    event('email_opened', { observed_at: ago(1) }),
    event('out_of_office', { observed_at: ago(2) }),
    reply({ subject: 'Abwesenheitsnotiz: Re: Demo' }),
    reply({ auto_reply: true }),
  ];
  await record(acme, 'al@initech.com', quiet);
  expect(await one({ email: 'al@initech.com' })).toMatchObject({ outcome: 'net_new', reason: 'known' });
  expect(await one({ domain: 'initech.com' })).toMatchObject({ outcome: 'net_new' });
  const sent = await record(acme, 'al@initech.com', [event('email_sent', { observed_at: ago(5) })]);
  expect(await one({ email: 'al@initech.com' })).toMatchObject({
    reason: 'recent_outreach',
    evidence: { observation_id: sent.observation_ids[0] },
  });
  const wrote = { value: { direction: 'inbound' }, observed_at: ago(500) };
  const { observation_ids } = await record(acme, 'al@initech.com', [event('linkedin_message', wrote)]);
  const written = { outcome: 'engaged', reason: 'inbound', evidence: { observation_id: observation_ids[0] } };
  expect(await one({ email: 'al@initech.com' })).toMatchObject(written);
  expect(await one({ domain: 'initech.com' })).toMatchObject(written);
});

it('is engaged by what a merged entity did', async () => {
  const { observation_ids } = await record(acme, 'al@gmail.com', [event('call_held', { observed_at: ago(300) })]);
  await record(acme, 'al@initech.com', [state('title', 'CTO')]);
  await merge(acme, 'al@initech.com', 'al@gmail.com');
  const called = { reason: 'inbound', evidence: { observation_id: observation_ids[0] } };
  expect(await one({ email: 'al@initech.com' })).toMatchObject(called);
  expect(await one({ domain: 'initech.com' })).toMatchObject(called);
});

it('is what the address without its tag is', async () => {
  const al = await record(acme, 'al@initech.com', [event('unsubscribed')]);
  const bo = await record(acme, 'bo@initech.com', [event('email_bounced')]);
  const { results } = await dedup({
    rows: ['al+news@initech.com', 'bo+x@initech.com', 'cy+x@initech.com', 'Al+News@initech.com'].map(email => ({
      email,
    })),
  });
  expect(results).toMatchObject([
    { outcome: 'unsubscribed', matched_on: 'email_without_tag', entity_id: al.entity_id, email: 'al+news@initech.com' },
    { outcome: 'bounced', matched_on: 'email_without_tag', entity_id: bo.entity_id },
    { outcome: 'net_new', matched_on: null, entity_id: null },
    { outcome: 'unsubscribed', duplicate_of: 0 },
  ]);
});

describe('a new contact of a known company', () => {
  it('has an account with the open deal of a colleague, or with the customer', async () => {
    const deal = await record(acme, 'al@initech.com', [state('stage', 'Proposal sent')]);
    await record(acme, 'bo@globex.com', [state('stage', 'negotiation')]);
    const customer = await record(acme, 'globex.com', [state('stage', 'customer')]);
    await record(acme, 'cy@hooli.com', [state('stage', 'lost')]);
    const rows = ['new@initech.com', 'new@globex.com', 'new@hooli.com', 'new@unknown.com'].map(email => ({ email }));
    const [initech, globex, ...others] = (await dedup({ rows })).results;
    expect(initech).toMatchObject({
      outcome: 'net_new',
      reason: 'new',
      account: { relation: 'open_deal', stage: 'proposal sent', contact_id: deal.entity_id },
    });
    expect(globex).toMatchObject({
      outcome: 'net_new',
      account: { entity_id: customer.entity_id, relation: 'customer', stage: 'customer', contact_id: null },
    });
    for (const other of others) expect(other).not.toHaveProperty('account');
    expect(await one({ email: 'al@initech.com' })).not.toHaveProperty('account');
  });
});

it('nobody of a blocked domain is written to, known or not', async () => {
  await record(acme, 'initech.com', [state('do_not_contact', true)]);
  const { entity_id } = await record(acme, 'al@initech.com', [event('email_replied')]);
  expect(await one({ email: 'bo@initech.com' })).toMatchObject({
    outcome: 'unsubscribed',
    reason: 'domain_blocked',
    entity_id: null,
  });
  expect(await one({ email: 'al@initech.com' })).toMatchObject({ outcome: 'unsubscribed', entity_id });
  expect(await one({ domain: 'www.initech.com' })).toMatchObject({ outcome: 'unsubscribed' });
});

it('an opt-out survives imports and merges, and only a correction lifts it', async () => {
  await record(acme, 'al@x.com', [event('unsubscribed', { observed_at: ago(900) })]);
  await record(acme, 'al@x.com', [state('do_not_contact', false, { source: 'csv' })]);
  await record(acme, 'al@gmail.com', [state('title', 'CTO')]);
  await merge(acme, 'al@x.com', 'al@gmail.com');
  expect(await one({ email: 'al@gmail.com' })).toMatchObject({ outcome: 'unsubscribed' });
});

it('offers another address in place of a dead one', async () => {
  await record(acme, 'old@x.com', [state('email', 'old@x.com', { observed_at: ago(30) })]);
  const { entity_id } = await record(acme, 'old@x.com', [state('email', 'new@x.com')]);
  expect(await one({ email: 'old@x.com' })).toMatchObject({
    outcome: 'bounced',
    reason: 'address_ended',
    entity_id,
    alternate_email: 'new@x.com',
  });
  expect(await one({ email: 'new@x.com' })).toMatchObject({ outcome: 'net_new', entity_id });
});

it('a meeting ahead engages until it is cancelled', async () => {
  const value = { start: new Date(Date.now() + 3 * 86_400_000).toISOString(), uid: 'm1' };
  const plan = (type: string, days: number) =>
    record(acme, 'al@x.com', [event(type, { value, observed_at: ago(days) })]);
  const { observation_ids } = await plan('meeting_scheduled', 200);
  expect(await one({ email: 'al@x.com' })).toMatchObject({
    reason: 'meeting_ahead',
    evidence: { observation_id: observation_ids[0] },
  });
  await plan('meeting_cancelled', 150);
  expect(await one({ email: 'al@x.com' })).toMatchObject({ outcome: 'net_new' });
});

it('outreach engages within the requested window', async () => {
  await record(acme, 'al@x.com', [event('email_sent', { observed_at: ago(30) })]);
  expect(await one({ email: 'al@x.com' })).toMatchObject({ outcome: 'engaged', reason: 'recent_outreach' });
  expect(await one({ email: 'al@x.com' }, { engaged_window_days: 20 })).toMatchObject({ outcome: 'net_new' });
});

it('another list engages people who wait in it or were touched lately, and is returned', async () => {
  const { entity_id } = await record(acme, 'al@x.com', [state('title', 'CTO')]);
  const old = await listWith(hub, acme, [entity_id], { status: 'sent', days: 200 });
  expect(await one({ email: 'al@x.com' })).toMatchObject({ outcome: 'net_new', lists: [{ list_id: old }] });
  const list = await listWith(hub, acme, [entity_id]);
  const member = await one({ email: 'al@x.com' });
  expect(member).toMatchObject({ outcome: 'engaged', reason: 'in_list', evidence: { list_id: list } });
  expect(member.lists).toEqual([
    { list_id: list, name: 'Spring', status: 'pending' },
    { list_id: old, name: 'Spring', status: 'sent' },
  ]);
  expect(await one({ email: 'al@x.com' }, { exclude_list_id: list })).toMatchObject({ outcome: 'net_new' });
  expect(await one({ email: 'al@x.com' }, { include_lists: false })).toMatchObject({ outcome: 'net_new' });
});

it('repeats keep their class and point to the first; names never match', async () => {
  await record(acme, 'al@gmail.com', [state('name', 'Al Byron'), state('linkedin_url', 'https://linkedin.com/in/al')]);
  const { results, errors, summary } = await dedup({
    rows: [
      { email: 'a.l+x@gmail.com', ref: 1 },
      { linkedin_url: 'https://de.linkedin.com/in/al?x=1', ref: 2 },
      { email: 'bo@x.com' },
      { email: ' BO@x.com ', company: 'X' },
      { name: 'Al Byron', ref: 'name' },
      { email: 'broken@', linkedin_url: 'linkedin.com/in/cy' },
    ],
  });
  expect(results.map(({ index, duplicate_of }) => [index, duplicate_of])).toEqual([
    [0, undefined],
    [1, 0],
    [2, undefined],
    [3, 2],
    [5, undefined],
  ]);
  expect(errors).toMatchObject([{ index: 4, ref: 'name', error: 'identifier_required' }]);
  expect(summary).toMatchObject({ net_new: 5, total: 5 });
});

it.each([
  ['nothing', {}, 400, 'identifiers_required'],
  ['empty lists', { rows: [], emails: [] }, 400, 'identifiers_required'],
  ['both forms', { rows: [{ email: 'a@x.com' }], emails: ['a@x.com'] }, 400, 'invalid_request'],
  ['rows that are no list', { rows: 'a@x.com' }, 400, 'invalid_request'],
  ['a row that is no object', { rows: ['a@x.com'] }, 400, 'invalid_request'],
  ['no window', { emails: ['a@x.com'], engaged_window_days: 0 }, 400, 'invalid_request'],
  ['an unknown field', { emails: ['a@x.com'], email: 'x' }, 400, 'invalid_request'],
  ['an unknown field of a row', { rows: [{ email: 'a@x.com', emial: 'x' }] }, 400, 'invalid_request'],
  ['no list id', { emails: ['a@x.com'], exclude_list_id: 'spring' }, 400, 'invalid_list_id'],
  ['an unknown list', { emails: ['a@x.com'], exclude_list_id: crypto.randomUUID() }, 404, 'list_not_found'],
])('refuses %s', async (_, body, status, error) => {
  const answer = await ask(body);
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error });
});

it('names the unknown field of a row', async () => {
  const { body } = await ask({ rows: [{ email: 'a@x.com', name: 'A', company: 'X', ref: 1 }, { linkedin: 'x' }] });
  expect(body.details).toMatchObject([{ field: 'rows[1].linkedin', message: expect.stringContaining('linkedin_url') }]);
});

it('names the field that holds no list id', async () => {
  const { body } = await ask({ emails: ['a@x.com'], exclude_list_id: 'spring' });
  expect(body.details).toMatchObject([{ field: 'exclude_list_id' }]);
});

it.each([
  ['rows', 5_000, { email: 'a@x.com' }],
  ['emails', 50_000, 'a@x.com'],
  ['domains', 50_000, 'x.com'],
])('refuses more than its most %s', async (field, max, value) => {
  const { status, body } = await ask({ [field]: Array.from({ length: max + 1 }, () => value) });
  expect({ status, error: body.error, max: body.max }).toEqual({ status: 413, error: 'too_many', max });
});

it('sees nobody and no list of another workspace', async () => {
  const { entity_id } = await record(acme, 'al@x.com', [event('unsubscribed')]);
  const list = await listWith(hub, acme, [entity_id]);
  const outsider = await hub.workspace();
  const seen = await ask({ emails: ['al@x.com'] }, outsider);
  expect(seen.body.results).toMatchObject([{ outcome: 'net_new', entity_id: null, lists: [] }]);
  const response = await ask({ emails: ['al@x.com'], exclude_list_id: list }, outsider);
  expect({ status: response.status, error: response.body.error }).toEqual({ status: 404, error: 'list_not_found' });
});
