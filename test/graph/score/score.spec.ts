import { event, record, state } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import { rowCounts } from '../../support/database/row-counts.js';
import { MODEL, scoreCalls } from '../../support/graph/score-calls.js';

let hub: TestHub;
let acme: Client;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);
const { learn, score } = scoreCalls(() => acme);

describe('a lead of the graph', () => {
  it('gets four layers, what is missing, a play and a priority, each with its grounds', async () => {
    await learn();
    await record(acme, 'ada@acme.com', [
      state('title', 'VP Sales'),
      state('industry', 'saas'),
      state('headline', 'Fighting churn'),
      event('email_replied'),
    ]);
    const body = await score({ identifier: 'ada@acme.com' });
    expect(body).toMatchObject({
      resolved: true,
      scored: true,
      identifier: 'ada@acme.com',
      persisted: true,
      play: 'work now',
      play_rule: 'P8',
      flags: [],
      icp_model: 'icp@1',
      icp: { score: 100, fit: true, tier: 'tier_1' },
      intent: { score: 63, band: 'Warm' },
    });
    expect(body).not.toHaveProperty('reason');
    expect(body).not.toHaveProperty('layered');
    const { fit, pain, intent, ability } = body.layers;
    expect(fit).toMatchObject({ status: 'known', score: 100, coverage: 0.8, trust: 0.75 });
    expect(fit.reasons).toMatchObject([
      { rule: 'title', points: 75, ref_id: expect.any(String) },
      { rule: 'industry', points: 25 },
    ]);
    expect(pain).toMatchObject({ score: 70, coverage: 1 });
    expect(intent).toMatchObject({ score: 63, reasons: [{ rule: 'email_replied', points: 63 }] });
    expect(ability).toMatchObject({ status: 'known', coverage: 0.5 });
    expect(body.missing[0]).toEqual({
      layer: 'fit',
      property: 'headcount',
      on: 'company',
      gain: 7,
      how: 'enrich',
      reason: 'absent',
    });
    expect(body.priority).toBe(83);
  });

  it('that is thin returns what there is', async () => {
    await learn();
    await record(acme, 'thin@acme.com', [event('email_sent')]);
    const body = await score({ identifier: 'thin@acme.com' });
    expect(body).toMatchObject({
      resolved: true,
      scored: false,
      reason: 'awaiting_enrichment',
      icp: { score: null, fit: null, tier: null, reason: null },
      intent: { score: null, band: null },
      priority: null,
      priority_confidence: 0,
      play: 'enrich',
      play_rule: 'P3',
    });
    for (const layer of Object.values(body.layers)) expect(layer).toMatchObject({ status: 'unknown', score: null });
    await record(acme, 'thin@acme.com', [event('email_replied')]);
    expect(await score({ identifier: 'thin@acme.com' })).toMatchObject({
      scored: true,
      reason: 'partial',
      priority: 63,
    });
  });

  it('without a model is scored by what needs none, and says so', async () => {
    await record(acme, 'ada@acme.com', [event('meeting_held')]);
    expect(await score({ identifier: 'ada@acme.com' })).toMatchObject({
      scored: true,
      reason: 'no_model',
      icp: { score: null },
      intent: { score: 83 },
      icp_model: null,
    });
    await learn('We sell to sales leaders.');
    expect(await score({ identifier: 'ada@acme.com' })).toMatchObject({ reason: 'no_model' });
  });

  it('looks at its company, and at everybody of a company', async () => {
    await learn();
    await record(acme, 'acme.com', [state('industry', 'SaaS'), state('headcount', '51-200')]);
    await record(acme, 'ada@acme.com', [state('title', 'Head of Sales'), event('form_submitted')]);
    expect((await score({ identifier: 'ada@acme.com' })).layers.fit).toMatchObject({ score: 100, coverage: 1 });
    expect((await score({ identifier: 'acme.com' })).layers.intent).toMatchObject({ score: 63 });
  });

  it.each([
    ['unsubscribed', [event('unsubscribed')], 'unsubscribed'],
    ['not to be contacted', [state('do_not_contact', true)], 'do_not_contact'],
    ['disqualified', [state('title', 'Sales intern')], 'disqualified'],
    ['without a live channel', [event('email_bounced', { value: { type: 'hard' } })], 'no_live_channel'],
  ])('is suppressed when %s', async (_, observations, flag) => {
    await learn();
    await record(acme, 'ada@acme.com', observations);
    const body = await score({ identifier: 'ada@acme.com' });
    expect(body).toMatchObject({ play: 'suppress', play_rule: 'P1' });
    expect(body.flags).toContain(flag);
    const rule = flag === 'disqualified' ? expect.stringMatching(/./) : flag;
    expect(body.suppressed_by).toContainEqual({ rule, text: expect.stringMatching(/\.$/) });
  });

  it('is suppressed at an own domain and at one that the model names', async () => {
    await learn();
    await learn({ name: 'Us', domains: ['ourselves.com'] }, 'profile');
    for (const [email, flag] of [
      ['me@ourselves.com', 'own_domain'],
      ['he@rival.com', 'suppressed'],
    ] as const) {
      await record(acme, email, [state('title', 'VP Sales')]);
      expect(await score({ identifier: email })).toMatchObject({ play: 'suppress', flags: [flag] });
    }
  });

  it('is reached by another way when the mailbox is dead', async () => {
    await learn();
    await record(acme, 'ada@acme.com', [
      state('linkedin_url', 'linkedin.com/in/ada'),
      event('email_bounced', { value: { type: 'hard' } }),
    ]);
    expect((await score({ identifier: 'ada@acme.com' })).flags).toEqual([]);
  });

  it('has an unknown Pain where a title that says nothing of it, or a placeholder, is all there is', async () => {
    await learn();
    const unknown = { status: 'unknown', score: null };
    await record(acme, 'ada@acme.com', [state('title', 'VP Sales')]);
    expect((await score({ identifier: 'ada@acme.com' })).layers.pain).toMatchObject(unknown);
    const cold = await score({ attributes: { title: 'VP Sales', headline: 'Happy customers', pain: 'none' } });
    expect(cold.layers.pain).toMatchObject(unknown);
  });

  it('does not use what has ended or expired', async () => {
    await learn();
    await record(acme, 'ada@acme.com', [
      state('title', 'VP Sales', { observed_at: '2015-01-01' }),
      state('industry', 'SaaS', { observed_at: '2026-01-01' }),
    ]);
    const body = await score({ identifier: 'ada@acme.com' });
    expect(body.layers.fit.reasons.map(({ rule }) => rule)).toEqual(['industry']);
    expect(body.missing).toContainEqual(
      expect.objectContaining({ property: 'title', how: 'verify', reason: 'expired' }),
    );
    await record(acme, 'ada@acme.com', [state('industry', null)]);
    expect((await score({ identifier: 'ada@acme.com' })).layers.fit.score).toBeNull();
  });

  it('counts a statement about the future once its time has come', async () => {
    await learn();
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const { entity_id } = await record(acme, 'soon@acme.com', [state('title', 'VP Sales', { observed_at: soon })]);
    const titleOf = async () => {
      const { layers } = await score({ identifier: 'soon@acme.com' });
      return layers.fit.reasons.some((reason: { rule: string }) => reason.rule === 'title');
    };
    expect(await titleOf()).toBe(false);
    for (const [table, column] of [
      ['observations', 'observed_at'],
      ['claims', 'next_change_at'],
    ]) {
      const sql = `UPDATE ${table} SET ${column} = now() - interval '1 second' WHERE entity_id = $1 AND ${column} > now()`;
      expect((await hub.database.pool.query(sql, [entity_id])).rowCount).toBeGreaterThan(0);
    }
    expect(await titleOf()).toBe(true);
  });

  it('may be named by id, profile, name or lead, and in old names of a field', async () => {
    const { entity_id } = await record(acme, 'ada@acme.com', [
      state('name', 'Ada Lovelace'),
      state('linkedin_url', 'linkedin.com/in/ada'),
    ]);
    for (const identifier of [entity_id, 'ADA@acme.com', 'https://www.linkedin.com/in/ada', 'ada lovelace']) {
      expect(await score({ identifier, dry_run: true })).toMatchObject({ entity_id, identifier });
    }
    expect(await score({ focus: 'ada@acme.com', intent: 'buy', dry_run: true })).toMatchObject({ entity_id });
  });

  it('is called as the tiers and bands of the model say, wherever its score is read', async () => {
    await record(acme, 'ada@acme.com', [
      state('title', 'VP Sales'),
      state('industry', 'Retail'),
      event('email_replied'),
    ]);
    await acme.post('/v2/leads', { list: 'L', email: 'ada@acme.com' });
    const read = async () => {
      const { icp, intent } = await score({ identifier: 'ada@acme.com' });
      const { body: account } = await acme.get<{ icp: object }>('/v2/accounts/ada@acme.com');
      const { body: list } = await acme.get<{ leads: object[] }>('/v2/leads');
      return { icp, intent, account: account.icp, lead: list.leads[0] };
    };
    const called = (tier: string, band: string) => ({
      icp: { score: 75, fit: true, tier },
      intent: { score: 63, band },
      account: { score: 75, fit: true, tier },
      lead: { icp_score: 75, intent_score: 63, icp_fit: true, tier, intent_band: band },
    });
    await learn();
    expect(await read()).toMatchObject(called('tier_2', 'Warm'));
    const refused = await learn({ ...MODEL, bands: { Hot: 40 } });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ field: 'content.bands.Warm' }] } });
    await learn({ ...MODEL, tiers: { tier_1: 75 }, bands: { Hot: 60 } });
    expect(await read()).toMatchObject(called('tier_1', 'Hot'));
    const cold = await score({ leads: [{ title: 'VP Sales', industry: 'Retail' }] });
    expect(cold.results[0]).toMatchObject({ icp: { tier: 'tier_1' } });
  });

  it('that nobody knows is no error, and nobody is made', async () => {
    const before = await rowCounts(hub.database.pool, acme.workspaceId);
    for (const identifier of ['nobody@acme.com', 'Nobody At All', '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17', 'broken@']) {
      expect(await score({ identifier })).toEqual({
        resolved: false,
        scored: false,
        reason: 'unknown_identifier',
        identifier,
        persisted: false,
      });
    }
    expect(await rowCounts(hub.database.pool, acme.workspaceId)).toEqual(before);
  });

  it('whose name matches several returns the candidates', async () => {
    for (const focus of ['sam@north.com', 'sam@south.com']) await record(acme, focus, [state('name', 'Sam Lee')]);
    expect(await score({ identifier: 'Sam Lee' })).toMatchObject({
      resolved: false,
      reason: 'ambiguous',
      status: 'ambiguous',
      count: 2,
      candidates: [{ name: 'Sam Lee' }, { name: 'Sam Lee' }],
    });
  });
});
