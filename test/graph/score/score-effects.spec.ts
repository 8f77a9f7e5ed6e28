import type { PresentedScore } from '#graph/score/score.presenter.js';
import { account, event, record, state, wholeTimeline } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import { rowCounts } from '../../support/database/row-counts.js';
import { scoreCalls } from '../../support/graph/score-calls.js';

let hub: TestHub;
let acme: Client;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);
const { learn, score, tryScore } = scoreCalls(() => acme);

describe('what a score writes', () => {
  const scores = async () => (await wholeTimeline(acme, 'ada@acme.com')).filter(o => o.property === 'lead_score');

  it('is one statement about a lead of the graph, and none when nothing has changed', async () => {
    await learn();
    await record(acme, 'ada@acme.com', [state('title', 'VP Sales')]);
    const first = await score({ identifier: 'ada@acme.com' });
    await score({ identifier: 'ada@acme.com' });
    expect(await scores()).toMatchObject([{ source: 'system:score', method: 'icp:icp@1', kind: 'state' }]);
    const { claims } = await account(acme, 'ada@acme.com');
    expect(claims['lead_score']!.value).toMatchObject({
      priority: first.priority,
      play: first.play,
      layers: { fit: 100 },
    });
    await record(acme, 'ada@acme.com', [event('meeting_held')]);
    await score({ identifier: 'ada@acme.com' });
    expect(await scores()).toHaveLength(2);
  });

  it('is nothing for another time and in a dry run', async () => {
    await learn();
    await record(acme, 'ada@acme.com', [state('title', 'VP Sales')]);
    const before = await rowCounts(hub.database.pool, acme.workspaceId);
    for (const more of [{ as_of: '2026-01-01' }, { known_at: '2030-01-01' }, { dry_run: true }]) {
      expect((await score({ identifier: 'ada@acme.com', ...more })).persisted).toBe(false);
    }
    expect(await rowCounts(hub.database.pool, acme.workspaceId)).toEqual(before);
  });

  it('is nothing at all for leads that a caller describes', async () => {
    await learn();
    await record(acme, 'ada@acme.com', [state('title', 'VP Sales')]);
    const before = await rowCounts(hub.database.pool, acme.workspaceId);
    await score({ attributes: { title: 'VP Sales', email: 'ada@acme.com', company: 'Acme' } });
    await score({ leads: Array.from({ length: 50 }, (_, i) => ({ title: 'VP', email: `new${i}@new.com` })) });
    await tryScore({ attributes: { title: 'VP Sales' } }, { 'idempotency-key': 'cold' });
    expect(await rowCounts(hub.database.pool, acme.workspaceId)).toEqual(before);
  });

  it('is stored with the leads of the person', async () => {
    await learn();
    const { entity_id } = await record(acme, 'ada@acme.com', [state('title', 'VP Sales')]);
    const list = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b11';
    const lead = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b12';
    await hub.database.work.run(acme.workspaceId, async tx => {
      await tx.query("INSERT INTO lead_lists (workspace_id, id, name, source) VALUES ($1, $2, 'x', 'x')", [
        tx.workspace,
        list,
      ]);
      await tx.query('INSERT INTO leads (workspace_id, id, list_id, entity_id) VALUES ($1, $2, $3, $4)', [
        tx.workspace,
        lead,
        list,
        entity_id,
      ]);
    });
    const body = await score({ lead_id: lead });
    expect(body).toMatchObject({ lead_id: lead, entity_id, persisted: true });
    const [row] = await hub.database.work.run(acme.workspaceId, tx =>
      tx.query('SELECT * FROM leads WHERE id = $1', [lead]),
    );
    expect(row).toMatchObject({
      priority: body.priority,
      play: body.play,
      icp_score: 100,
      intent_score: null,
      layers: { fit: { status: 'known', score: 100 }, intent: { status: 'unknown', score: null } },
      scored_at: expect.any(Number),
    });
    const other = await tryScore({ lead_id: list });
    expect({ status: other.status, error: other.body.error }).toEqual({ status: 404, error: 'lead_not_found' });
  });

  it('is done once under an Idempotency-Key', async () => {
    await record(acme, 'ada@acme.com', [event('email_replied')]);
    const headers = { 'idempotency-key': 'score-1' };
    const first = await tryScore({ identifier: 'ada@acme.com' }, headers);
    const again = await tryScore({ identifier: 'ada@acme.com' }, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('another time', () => {
  it('is scored by what was the case then, with the model of then', async () => {
    await learn();
    await record(acme, 'ada@acme.com', [
      state('title', 'Clerk', { observed_at: '2026-01-01' }),
      state('title', 'VP Sales', { observed_at: '2026-06-01' }),
      event('email_replied', { observed_at: '2026-05-01' }),
    ]);
    const at = async (as_of: string) => score({ identifier: 'ada@acme.com', as_of });
    // The model was written just now, so there was none then.
    expect(await at('2026-05-02')).toMatchObject({ reason: 'no_model', intent: { score: 61 } });
    expect(await at('2026-04-01')).toMatchObject({ intent: { score: null } });
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect((await at(soon)).layers.fit.score).toBe(100);
    const before = await score({ identifier: 'ada@acme.com', known_at: '2026-01-01' });
    expect(before.layers.fit).toMatchObject({ status: 'unknown' });
  });
});

describe('leads that a caller describes', () => {
  it('are scored for Fit and Pain; Intent and Ability are unknown', async () => {
    await learn();
    const attributes = { job_title: 'VP Sales', industry: 'SaaS', company_size: '60', keywords: 'crm, churn' };
    const body = await score({ attributes });
    expect(body).toMatchObject({
      resolved: true,
      scored: true,
      source: 'inline',
      persisted: false,
      icp: { score: 100, tier: 'tier_1' },
      layers: { fit: { coverage: 1 }, pain: { score: 70 }, intent: { score: null }, ability: { score: null } },
      play: 'enrich',
      play_rule: 'P11',
    });
    const reached = await score({ attributes: { ...attributes, email: 'x@acme.com' } });
    expect(reached).toMatchObject({ play: 'work now', play_rule: 'P10' });
  });

  it('come back in their order with their refs, a thousand in one call', async () => {
    await learn();
    const leads = Array.from({ length: 1000 }, (_, i) =>
      i % 2 ? { ref: `r${i}`, attributes: { title: 'VP Sales' } } : { id: i, title: 'Clerk' },
    );
    const { results, persisted } = await score({ leads });
    expect({ count: results.length, persisted }).toEqual({ count: 1000, persisted: false });
    expect(results.map(result => (result as PresentedScore).ref)).toEqual(leads.map(({ ref, id }) => ref ?? id));
    expect((results as PresentedScore[]).map(({ icp }) => icp.score)).toEqual(leads.map((_, i) => (i % 2 ? 100 : 0)));
    expect((results[1] as PresentedScore).layers.fit.reasons).toEqual([]);
  });

  it('without attributes are no error', async () => {
    await learn();
    expect(await score({ attributes: {} })).toMatchObject({ scored: false, reason: 'no_attributes', priority: null });
    expect((await score({ leads: [{ ref: 'a' }] })).results).toMatchObject([{ ref: 'a', reason: 'no_attributes' }]);
  });

  it('are suppressed at an own domain', async () => {
    await learn({ domains: ['ourselves.com'] }, 'profile');
    expect(await score({ attributes: { title: 'CEO', domain: 'www.ourselves.com' } })).toMatchObject({
      play: 'suppress',
    });
  });
});

describe('many of the graph', () => {
  it('are returned in the order of the request, unknown identifiers included', async () => {
    await learn();
    await record(acme, 'ada@acme.com', [state('title', 'VP Sales')]);
    const { results, persisted } = await score({ identifiers: ['x@y.com', 'ada@acme.com', 'broken@', 'ada@acme.com'] });
    expect(persisted).toBe(true);
    expect(results.map(result => [result.identifier, result.resolved])).toEqual([
      ['x@y.com', false],
      ['ada@acme.com', true],
      ['broken@', false],
      ['ada@acme.com', true],
    ]);
  });
});

describe('a bad request', () => {
  it.each<[string, unknown, string]>([
    ['nothing', {}, 'identifier_required'],
    ['a list', [], 'identifier_required'],
    ['an empty identifier', { identifier: ' ' }, 'identifier_required'],
    ['two shapes', { identifier: 'a@b.com', attributes: {} }, 'invalid_request'],
    ['no identifiers', { identifiers: [] }, 'identifiers_empty'],
    ['no leads', { leads: [] }, 'leads_empty'],
    ['an identifier that is no text', { identifier: 7 }, 'invalid_request'],
    ['identifiers that are no texts', { identifiers: ['a@b.com', 7] }, 'invalid_request'],
    ['attributes that are none', { attributes: 'VP' }, 'invalid_request'],
    ['a lead that is none', { leads: [{}, 'VP'] }, 'invalid_request'],
    ['an attribute with a strange name', { attributes: { 'a b': 1 } }, 'invalid_request'],
    ['a title that is a number', { attributes: { job_title: 5 } }, 'invalid_request'],
    ['a headcount that is an object', { leads: [{ employee_count: { min: 5 } }] }, 'invalid_request'],
    ['keywords that are no texts', { leads: [{ title: 'CTO' }, { keywords: [1, 2] }] }, 'invalid_request'],
    ['a word for a truth', { attributes: { do_not_contact: 'yes' } }, 'invalid_request'],
    ['an attribute that is too long', { attributes: { title: 'x'.repeat(2001) } }, 'invalid_request'],
    ['a lead id that is none', { lead_id: 'x' }, 'invalid_request'],
    ['an unknown field', { identifier: 'a@b.com', explian: true }, 'invalid_request'],
    ['a time that is none', { identifier: 'a@b.com', as_of: 'soon' }, 'invalid_request'],
    ['a model that is another', { attributes: { title: 'x' }, icp_model_id: 'other' }, 'invalid_request'],
    ['an intent that is no text', { identifier: 'a@b.com', intent: 5 }, 'invalid_request'],
    ['a NUL', { attributes: { title: 'x\u0000' } }, 'invalid_request'],
  ])('%s', async (_, body, error) => {
    const answer = await tryScore(body);
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 400, error });
  });

  it('tells the most that go in one call', async () => {
    const leads = await tryScore({ leads: Array.from({ length: 1001 }, () => ({ title: 'x' })) });
    expect(leads).toMatchObject({ status: 400, body: { error: 'batch_too_large', max: 1000 } });
    const identifiers = await tryScore({ identifiers: Array.from({ length: 101 }, () => 'a@b.com') });
    expect(identifiers).toMatchObject({ status: 400, body: { error: 'batch_too_large', max: 100 } });
  });
});
