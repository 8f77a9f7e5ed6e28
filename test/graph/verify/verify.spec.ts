import type { AmbiguousName } from '#graph/identity/entity-resolver.service.js';
import type { VerifyResponse, VerifiedClaim } from '#graph/verify/verify.presenter.js';
import { type ErrorBody, event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, clientOf, type TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import { merge } from '../../support/graph/merge-calls.js';

let hub: TestHub;
let acme: Client;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);

const ask = (body: object) => acme.post<VerifyResponse & ErrorBody & AmbiguousName>('/v2/verify', body);
const verify = async (body: object): Promise<VerifyResponse> => {
  const { status, body: answer } = await ask({ focus: 'ada@gmail.com', ...body });
  expect(status).toBe(200);
  return answer;
};
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const about = (...observations: object[]) => record(acme, 'ada@gmail.com', observations);

it('confirms a fresh fact, and says so in the claim, before and after', async () => {
  const { entity_id } = await about(state('title', 'VP Sales'));
  const answer = await verify({ property: 'title' });
  expect(answer).toMatchObject({
    verdict: 'confirmed',
    safe_to_use: true,
    entity_id,
    property: 'title',
    after: { entity_id, property: 'title', value: 'VP Sales', confidence: 0.75, freshness: 'fresh' },
    cached_differs: false,
    recommended: [],
  });
  expect(answer.before).toEqual(answer.after);
  expect(answer.note).toMatch(/^title is "VP Sales", last stated on \d{4}-\d\d-\d\d\.$/);
  expect(answer).not.toHaveProperty('matches_value');
});

it('shows a claim for what nobody has ever stated', async () => {
  await about(state('title', 'VP Sales'));
  expect(await verify({ property: 'budget' })).toMatchObject({
    verdict: 'unknown',
    safe_to_use: false,
    before: null,
    after: { property: 'budget', value: null, confidence: 0, freshness: 'unknown', epistemic_class: 'unknown' },
    note: 'Nothing is known of budget.',
    cached_differs: false,
  });
});

it('compares what the caller believes as statements are compared', async () => {
  await about(state('title', 'VP  Sales'), state('technologies', ['Kafka', 'Go']), state('stage', 'demo'));
  expect(await verify({ property: 'title', value: ' vp sales' })).toMatchObject({
    verdict: 'confirmed',
    matches_value: true,
  });
  expect(await verify({ property: 'title', value: 'CEO' })).toMatchObject({
    verdict: 'changed',
    matches_value: false,
    safe_to_use: true,
  });
  expect(await verify({ property: 'technologies', value: 'kafka' })).toMatchObject({ matches_value: true });
  expect(await verify({ property: 'technologies', value: ['go', 'rust'] })).toMatchObject({ matches_value: false });
  expect(await verify({ property: 'title', value: null })).toMatchObject({ verdict: 'changed', matches_value: false });
});

it('says what has ended, and what nobody has stated for long', async () => {
  await about(state('title', 'CTO', { observed_at: ago(900) }), state('intent', 'buying', { observed_at: ago(20) }));
  await about(state('budget', 5, { observed_at: ago(9) }), state('budget', null));
  expect(await verify({ property: 'budget', value: 5 })).toMatchObject({
    verdict: 'ended',
    safe_to_use: false,
    matches_value: false,
    after: { status: 'ended', value: null },
    recommended: [],
  });
  const stale = await verify({ property: 'title' });
  expect(stale).toMatchObject({ verdict: 'stale', safe_to_use: false, after: { freshness: 'expired' } });
  expect(stale.note).toContain('still expired');
  expect((await verify({ property: 'intent' })).note).toContain('still suspect');
});

it('says who disagrees, and what would settle it', async () => {
  await about(
    state('title', 'CRO', { source: 'user', method: 'correction', observed_at: ago(50) }),
    state('title', 'VP', { source: 'csv', observed_at: ago(19) }),
  );
  const answer = await verify({ property: 'title' });
  expect(answer).toMatchObject({ verdict: 'contested', safe_to_use: false, after: { value: 'CRO' } });
  expect(answer.note).toBe('title is contested: "CRO" prevails, but csv says "VP".');
  expect(answer.recommended.map(({ how }) => how)).toEqual(['research', 'enrich', 'ask']);
  const surest = answer.recommended.map(way => way.expected_confidence);
  expect(surest).toEqual(surest.toSorted((a, b) => b - a));
  expect(surest[0]).toBeGreaterThan((answer.after as VerifiedClaim).confidence);
});

it('answers an alias under the alias', async () => {
  await about(state('job_title', 'CTO'));
  const answer = await verify({ property: 'job_title', value: 'cto' });
  expect(answer).toMatchObject({
    property: 'job_title',
    before: { property: 'job_title' },
    after: { property: 'job_title', value: 'CTO' },
    matches_value: true,
  });
  expect((await verify({ property: 'title' })).after).toEqual({ ...answer.after, property: 'title' });
  await about(event('email_bounced'));
  const reachability = { property: 'reachability_status', value: 'Bounced' };
  expect(await verify(reachability)).toMatchObject({ verdict: 'confirmed', after: { value: 'bounced' } });
});

it('looks past a stored claim that is wrong, and never writes', async () => {
  const { entity_id } = await about(state('title', 'VP'), state('title', 'CTO'));
  const spoil = (sql: string) => hub.database.pool.query(sql, [acme.workspaceId, entity_id]);
  const where = 'WHERE workspace_id = $1 AND entity_id = $2';
  await spoil(`UPDATE claims SET state = replace(state, 'CTO', 'CEO') ${where}`);
  const rows = async () => (await spoil(`SELECT t::text, xmin::text FROM claims t ${where}`)).rows;
  const stored = await rows();
  const answer = await verify({ property: 'title' });
  expect(answer).toMatchObject({ cached_differs: true, before: { value: 'CEO' }, after: { value: 'CTO' } });
  expect(answer.note).toContain('The stored claim said something else');
  expect(await rows()).toEqual(stored);
  await spoil(`DELETE FROM claims ${where}`);
  expect(await verify({ property: 'title' })).toMatchObject({
    cached_differs: true,
    before: null,
    after: { value: 'CTO' },
  });
  expect(await verify({ property: 'nothing' })).toMatchObject({ verdict: 'unknown' });
  expect(await rows()).toEqual([]);
});

it('reads the log of everybody who was merged', async () => {
  await about(state('title', 'VP', { observed_at: ago(30) }));
  await record(acme, 'ada@work.com', [state('title', 'CRO', { observed_at: ago(2) })]);
  await merge(acme, 'ada@gmail.com', 'ada@work.com');
  const answer = await verify({ property: 'title' });
  expect(answer).toMatchObject({ after: { value: 'CRO' }, cached_differs: false });
});

it('says what was the case then, and what was known then', async () => {
  await about(state('title', 'VP', { observed_at: ago(30) }));
  await about(state('title', 'CRO', { observed_at: ago(2) }));
  expect(await verify({ property: 'title', value: 'VP', as_of: ago(10) })).toMatchObject({
    verdict: 'confirmed',
    before: null,
    after: { value: 'VP' },
    cached_differs: false,
  });
  expect(await verify({ property: 'title', known_at: ago(1) })).toMatchObject({ verdict: 'unknown' });
});

it('offers those who bear a name', async () => {
  await record(acme, 'a@gmail.com', [state('name', 'Ada Byron')]);
  await record(acme, 'b@gmail.com', [state('name', 'Ada Byron')]);
  const { status, body } = await ask({ focus: 'Ada Byron', property: 'title' });
  expect(body).toMatchObject({ status: 'ambiguous', count: 2 });
  expect(status).toBe(200);
  const meant = await record(acme, 'c@northwind.com', [state('name', 'Ada Byron'), state('title', 'CFO')]);
  const hinted = await ask({ focus: 'Ada Byron', company: 'northwind.com', type: 'person', property: 'title' });
  expect(hinted.body).toMatchObject({ entity_id: meant.entity_id, verdict: 'confirmed' });
  expect(await ask({ focus: 'Ada Byron', type: 'cat', property: 'title' })).toMatchObject({ status: 400 });
});

it.each([
  ['nothing', {}, 'focus_and_property_required'],
  ['no focus', { property: 'title' }, 'focus_and_property_required'],
  ['a blank property', { focus: 'ada@gmail.com', property: ' ' }, 'focus_and_property_required'],
  ['an event', { focus: 'ada@gmail.com', property: 'interaction.call_held' }, 'invalid_request'],
  ['no name of a property', { focus: 'ada@gmail.com', property: 'Title!' }, 'invalid_request'],
  ['a focus that is no text', { focus: 7, property: 'title' }, 'invalid_request'],
  ['a value that cannot be stored', { focus: 'ada@gmail.com', property: 'title', value: '\u0000' }, 'invalid_request'],
  ['no time', { focus: 'ada@gmail.com', property: 'title', as_of: 'soon' }, 'invalid_request'],
  ['an unknown field', { focus: 'ada@gmail.com', property: 'title', refresh_all: true }, 'invalid_request'],
  ['a refresh that is no flag', { focus: 'ada@gmail.com', property: 'title', refresh: 'yes' }, 'invalid_request'],
  [
    'a refresh of the past',
    { focus: 'ada@gmail.com', property: 'title', refresh: true, as_of: '2026-01-01' },
    'invalid_request',
  ],
  ['a broken address', { focus: 'ada@', property: 'title' }, 'invalid_focus'],
])('refuses %s', async (_, body, error) => {
  const answer = await ask(body);
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 400, error });
});

it('requests no refresh where no plugin offers one, nor for a key with read alone', async () => {
  await about(state('title', 'VP'));
  const answer = await verify({ property: 'title', refresh: true });
  expect(answer).toMatchObject({ verdict: 'confirmed' });
  expect(answer).not.toHaveProperty('job_id');
  const { body } = await acme.post<{ key: string }>('/v2/api-keys', { name: 'reader', scopes: ['read'] });
  const reader = clientOf(hub.url, body.key);
  const fact = { focus: 'ada@gmail.com', property: 'title' };
  expect((await reader.post('/v2/verify', fact)).status).toBe(200);
  expect(await reader.post('/v2/verify', { ...fact, refresh: true })).toMatchObject({
    status: 403,
    body: { error: 'forbidden_scope', scope: 'write' },
  });
});

it('knows nobody but those of the workspace', async () => {
  const { entity_id } = await about(state('title', 'VP'));
  const outsider = await hub.workspace();
  for (const focus of [entity_id, 'ada@gmail.com']) {
    const { status, body } = await outsider.post<ErrorBody>('/v2/verify', { focus, property: 'title' });
    expect({ status, error: body.error }).toEqual({ status: 404, error: 'entity_not_found' });
  }
});
