import { withTrustRows } from '#domain/claims/trust.js';
import type { AttentionResponse } from '#graph/attention/attention.presenter.js';
import { ClaimsService } from '#graph/claims/claims.service.js';
import { rebuildClaims } from '#graph/observations/claim-rebuild.js';
import { ClaimRebuildJob } from '#graph/trust/claim-rebuild.job.js';
import type { PresentedScore } from '#graph/score/score.presenter.js';
import type { TrustResponse } from '#graph/trust/trust.service.js';
import { account, type ErrorBody, event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { listenTo } from '../../support/database/statements.js';

const CRM = { match: 'crm/*', r: 0.2, class: 'inferred' } as const;

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub({ ROLE: 'api' });
});
beforeEach(async () => {
  acme = await hub.workspace();
  await record(acme, 'ada@acme.com', [
    state('title', 'CRO', { source: 'crm:hubspot', observed_at: '2026-11-01' }),
    state('title', 'CEO', { source: 'csv', observed_at: '2026-11-02' }),
  ]);
});
afterAll(() => hub?.end());

const trust = () => acme.get<TrustResponse>('/v2/workspace/trust');
const change = (body: object, headers = {}) =>
  acme.post<TrustResponse & ErrorBody & { current: TrustResponse }>('/v2/workspace/trust', body, headers);
const title = async () => (await account(acme, 'ada@acme.com')).claims['title'];
const rebuild = async () => {
  await hub.database.pool.query('UPDATE claim_rebuilds SET due_at = now()');
  await hub.app.get(ClaimRebuildJob, { strict: false }).rebuildDue();
};

it('begins with the usual rules', async () => {
  expect((await trust()).body).toMatchObject({ version: 0, trust_version: 'default@8', own: [], rebuild: null });
  expect((await trust()).body.trust).toContainEqual({ match: 'crm/*', r: 0.85, class: 'reported' });
});

it('a change makes a version, and the claims are folded again by it', async () => {
  expect(await title()).toMatchObject({ value: 'CRO', trust_version: 'default@8' });
  const { status, body } = await change({ trust: [CRM], note: 'Nobody keeps it.', expected_version: 0 });
  expect(status).toBe(201);
  expect(body).toMatchObject({ version: 1, trust_version: 'workspace@1', own: [CRM], note: 'Nobody keeps it.' });
  expect(body.rebuild).toEqual({ entities: 0, claims: 0, changed: 0, finished_at: null });

  await rebuild();
  expect(await title()).toMatchObject({ value: 'CEO', trust_version: 'workspace@1' });
  expect((await trust()).body.rebuild).toMatchObject({ entities: 2, claims: 2, changed: 2 });
  expect((await trust()).body.rebuild?.finished_at).toEqual(expect.any(String));

  await change({ trust: [], expected_version: 1 });
  await rebuild();
  expect(await title()).toMatchObject({ value: 'CRO', trust_version: 'workspace@2' });

  const response = (query: string) => acme.get<TrustResponse & ErrorBody>(`/v2/workspace/trust?${query}`);
  expect((await response('version=1')).body).toMatchObject({ version: 1, own: [CRM], rebuild: null });
  expect((await response('version=0')).body).toMatchObject({ version: 0, own: [], trust_version: 'default@8' });
  expect((await response(`as_of=${body.created_at}`)).body).toMatchObject({ version: 1, note: 'Nobody keeps it.' });
  expect((await response('as_of=2026-01-01')).body.version).toBe(0);
  expect(await response('version=3')).toMatchObject({ status: 400, body: { details: [{ field: 'version' }] } });
});

it('a write folds by the new version before the rebuild does, with the statements it always has', async () => {
  const log = listenTo(hub.database.pool);
  const sent = async () => {
    log.clear();
    await record(acme, 'ada@acme.com', [state('title', 'CRO', { source: 'crm:hubspot' })]);
    return log.of('rapport_app').map(transaction => transaction.length);
  };
  const usual = await sent();
  await change({ trust: [{ ...CRM, r: 0.9 }] });
  expect(await sent()).toEqual([usual[0]! + 1]);
  expect(await title()).toMatchObject({ trust_version: 'workspace@1', value: 'CRO' });
  expect(await sent()).toEqual(usual);
});

it('a rebuild that was left goes on where it was, and another workspace is left alone', async () => {
  const other = await hub.workspace();
  await record(other, 'ada@acme.com', [state('title', 'CRO', { source: 'crm:hubspot' })]);
  await change({ trust: [CRM] });
  await hub.database.pool.query('UPDATE claim_rebuilds SET cursor = $2 WHERE workspace_id = $1', [
    acme.workspaceId,
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ]);
  await rebuild();
  expect((await trust()).body.rebuild).toMatchObject({ entities: 0, finished_at: expect.any(String) });
  expect(await title()).toMatchObject({ trust_version: 'default@8' });
  expect((await account(other, 'ada@acme.com')).claims['title']).toMatchObject({ trust_version: 'default@8' });
});

it('a dry run compares a sample and writes nothing', async () => {
  const { status, body } = await change({ trust: [CRM], dry_run: true });
  expect({ status, sample: body.sample }).toEqual({
    status: 200,
    sample: { claims: 2, values_changed: 1, confidences_changed: 1 },
  });
  expect(body).toMatchObject({ version: 1, dry_run: true, rebuild: null });
  expect((await trust()).body.version).toBe(0);
});

it('a dry run tells what half-lives would change, and ages nothing', async () => {
  const { status, body } = await change({ half_lives: { title: 5 }, dry_run: true });
  expect({ status, sample: body.sample }).toEqual({
    status: 200,
    sample: { claims: 2, values_changed: 1, confidences_changed: 1 },
  });
  expect((await trust()).body.version).toBe(0);
  expect(await title()).toMatchObject({ freshness: expect.not.stringMatching('expired') });
});

it('attention, scores and filters of a query age by the half-lives of the workspace', async () => {
  await record(acme, 'ada@acme.com', [event('email_replied')]);
  const rule = { property: 'title', op: 'contains_any', value: ['ceo', 'cro'] };
  await acme.post('/v2/workspace/facts', { section: 'icp', content: { fit: [rule] } });
  const seen = async () => {
    const decayed = await acme.get<AttentionResponse>('/v2/attention?kinds=decayed_fact');
    const score = await acme.post<PresentedScore>('/v2/score', { identifier: 'ada@acme.com', dry_run: true });
    const filter = { entity: { title: { freshness: 'expired' } } };
    const found = await acme.post<{ matched: number }>('/v2/query', { filter, return: 'entities' });
    return {
      decayed: decayed.body.items.map(({ what }) => /\((\w+)\)/.exec(what)![1]),
      fit: score.body.layers.fit.status,
      missing: score.body.missing.filter(({ layer }) => layer === 'fit').map(({ reason }) => reason),
      found: found.body.matched,
    };
  };
  expect(await seen()).toEqual({ decayed: [], fit: 'known', missing: [], found: 0 });
  await change({ half_lives: { title: 5 } });
  expect(await seen()).toEqual({ decayed: ['expired'], fit: 'unknown', missing: ['expired'], found: 1 });
});

it('is written once: by version, by content and by Idempotency-Key', async () => {
  const key = { 'idempotency-key': 'trust-1' };
  const first = await change({ trust: [CRM] }, key);
  const again = await change({ trust: [CRM] }, key);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  expect(await change({ trust: [CRM] })).toMatchObject({ status: 200, body: { version: 1 } });
  const late = await change({ trust: [], expected_version: 0 });
  expect(late).toMatchObject({ status: 409, body: { error: 'version_conflict', current: { version: 1 } } });
});

it('names what it cannot accept', async () => {
  const fields = async (body: object) => (await change(body)).body.details?.map(({ field }) => field);
  expect(await fields({})).toEqual(['trust']);
  expect(await fields({ trust: [{ match: 'crm', r: 2, class: 'x', y: 1 }], mood: 1 })).toEqual([
    'trust[0].y',
    'trust[0].match',
    'trust[0].r',
    'trust[0].class',
    'mood',
  ]);
  expect(await fields({ trust: [CRM, CRM] })).toEqual(['trust']);
  expect(await fields({ trust: [], note: 1, expected_version: -1, dry_run: 1 })).toEqual([
    'note',
    'expected_version',
    'dry_run',
  ]);
});

it('own rows stand in place of the usual ones and keep what makes a guess yield', () => {
  const rules = withTrustRows([{ match: 'system:email_domain/*', r: 0.4, class: 'inferred' }, CRM], 3);
  expect(rules.trust.filter(({ match }) => match === 'crm/*')).toEqual([CRM]);
  expect(rules.trust.find(({ match }) => match.startsWith('system:email'))).toMatchObject({
    r: 0.4,
    isTentative: true,
  });
});

it('verify tells what would help by the rules of the workspace', async () => {
  await change({ trust: [CRM] });
  await rebuild();
  const { body } = await acme.post<{ safe_to_use: boolean; recommended: { expected_confidence: number }[] }>(
    '/v2/verify',
    { focus: 'ada@acme.com', property: 'title' },
  );
  expect(body.safe_to_use).toBe(false);
  expect(body.recommended.length).toBeGreaterThan(0);
  for (const { expected_confidence } of body.recommended) expect(expected_confidence).toBeGreaterThan(0);
});

it('decides whether a source may join two people', async () => {
  const [one, other] = await Promise.all([
    record(acme, 'joined@gmail.com', [state('title', 'CTO')]),
    record(acme, 'linkedin.com/in/joined', [state('title', 'CTO')]),
  ]);
  const stated = [state('email', 'joined@gmail.com', { source: 'csv' })];
  expect((await record(acme, other.entity_id, stated)).merge).toMatchObject({ guards: ['weak_source'] });
  await change({ trust: [{ match: 'csv/*', r: 0.9, class: 'reported' }] });
  const again = [state('email', 'joined@gmail.com', { source: 'csv', observed_at: '2026-11-01' })];
  const { merge } = await record(acme, other.entity_id, again);
  expect(merge).toEqual({ status: 'merged', other_entity_id: one.entity_id, guards: [] });
});

it('half-lives belong to the same versions: reads age by them, and the claims are folded again', async () => {
  const { status, body } = await change({ half_lives: { job_title: 5, location: null } });
  expect(status).toBe(201);
  expect(body).toMatchObject({ version: 1, own: [], own_half_lives: { title: 5, location: null } });
  expect((body as unknown as { half_lives: object }).half_lives).toMatchObject({
    title: 5,
    location: null,
    email: 990,
  });
  expect(await title()).toMatchObject({ freshness: 'expired' });
  const { body: people } = await acme.get<{ people: { claims: Record<string, object> }[] }>(
    '/v2/people?email=ada@acme.com&include=claims',
  );
  expect(people.people[0]?.claims['title']).toMatchObject({ freshness: 'expired' });
  const filter = encodeURIComponent(JSON.stringify({ title: { freshness: 'expired' } }));
  expect((await acme.get<{ people: object[] }>(`/v2/people?filter=${filter}`)).body.people).toHaveLength(1);

  await rebuild();
  expect(await title()).toMatchObject({ trust_version: 'workspace@1' });
  expect(
    (await rebuildClaims(hub.database.work, acme.workspaceId, hub.app.get(ClaimsService, { strict: false }))).changed,
  ).toBe(0);

  expect((await change({ trust: [CRM] })).body).toMatchObject({ version: 2, own_half_lives: { title: 5 } });
  expect((await change({ half_lives: {} })).body).toMatchObject({ version: 3, own: [CRM], own_half_lives: {} });
  const wrong = await change({ half_lives: { title: 0, 'Not a name': 3 } });
  expect(wrong.status).toBe(400);
  expect(wrong.body.details?.map(({ field }) => field)).toEqual(['half_lives.title', 'half_lives.Not a name']);
});
