import type { AttentionResponse, PresentedItem } from '#graph/attention/attention.presenter.js';
import { type ErrorBody, event, record, state } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import { listWith } from '../../support/graph/lead-rows.js';

let hub: TestHub;
let acme: Client;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
const ask = (query: Record<string, string> = {}, client = acme) =>
  client.get<AttentionResponse & ErrorBody>(`/v2/attention?${new URLSearchParams(query)}`);
async function attention(query: Record<string, string> = {}): Promise<AttentionResponse> {
  const { status, body } = await ask(query);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}
const of = async (kinds: string): Promise<readonly PresentedItem[]> => (await attention({ kinds })).items;
const about = (name: string, ...observations: object[]) => record(acme, `${name}@gmail.com`, observations);
const call = (days: number) => event('call_held', { observed_at: ago(days) });

it('is empty where nothing is known', async () => {
  const { items, meta, next_cursor, has_more } = await attention();
  expect({ items, next_cursor, has_more, total: meta.total }).toEqual({
    items: [],
    next_cursor: null,
    has_more: false,
    total: 0,
  });
});

it('tells who has gone quiet for longer than their stage allows', async () => {
  const ada = await about('ada', state('name', 'Ada'), state('stage', 'negotiation'), call(12));
  await about('bo', state('stage', 'prospecting'), call(12));
  await about('cy', state('stage', 'lost'), call(60));
  await about('di', state('stage', 'negotiation'), state('stage', null), call(60));
  await about('el', event('unsubscribed', { observed_at: ago(60) }));
  const items = await of('going_dark');
  expect(items).toMatchObject([
    {
      kind: 'going_dark',
      entity_id: ada.entity_id,
      entity_name: 'Ada',
      entity_type: 'person',
      what: 'Has been quiet for 12 days; 5 would be usual.',
      headline: 'Ada has been quiet for 12 days; 5 would be usual.',
      urgency: 72,
      age_days: 12,
      evidence: [ada.observation_ids[2]],
    },
  ]);
  expect(items[0]!.suggested_action).toBeTruthy();
});

it('a slow rhythm is no silence, and a meeting ahead neither', async () => {
  await about('ada', ...[40, 70, 100, 130].map(call));
  await about('bo', call(40));
  const start = new Date(Date.now() + 20 * DAY).toISOString();
  await about('cy', call(40), event('meeting_scheduled', { value: { start }, observed_at: ago(39) }));
  expect((await of('going_dark')).map(({ entity_id }) => entity_id)).toHaveLength(1);
});

it('tells facts that have decayed of those who matter', async () => {
  const ada = await about('ada', state('pain', 'churn', { observed_at: ago(170) }), call(3));
  await about('bo', state('pain', 'churn', { observed_at: ago(170) }));
  await about('cy', state('pain', 'churn', { observed_at: ago(170) }), state('do_not_contact', true), call(3));
  const items = await of('decayed_fact');
  expect(items).toMatchObject([
    {
      entity_id: ada.entity_id,
      id: `decayed_fact:${ada.entity_id}:pain`,
      suggested: { missing: ['pain'] },
      evidence: [ada.observation_ids[0]],
      age_days: 170,
    },
  ]);
});

it('asks to verify the facts of an earlier job, however fresh', async () => {
  const moved = [
    state('company', 'Globex', { source: 'crm', observed_at: ago(200) }),
    state('company', 'Initech', { source: 'crm', observed_at: ago(10) }),
  ];
  const ada = await about('ada', state('title', 'CTO', { source: 'crm', observed_at: ago(20) }), ...moved, call(3));
  await about('bo', state('title', 'CTO', { source: 'crm', observed_at: ago(5) }), ...moved, call(3));
  await about('cy', state('title', 'CTO', { observed_at: ago(20) }), moved[0]!, call(3));
  const titles = (await of('decayed_fact')).filter(({ id }) => id.endsWith(':title'));
  expect(titles).toMatchObject([
    {
      id: `decayed_fact:${ada.entity_id}:title`,
      what: expect.stringContaining(`stated before the employer changed on ${ago(10).slice(0, 10)}`),
      suggested_action: expect.stringContaining('Verify title for the new job'),
      suggested: { missing: ['title'] },
    },
  ]);
});

it('facts that the ideal customer profile uses matter for everybody, the more the higher their weight', async () => {
  await about('bo', state('pain', 'x'), state('department', 'sales', { observed_at: ago(300) }));
  expect(await of('decayed_fact')).toEqual([]);
  const fit = [{ property: 'department', op: 'eq', value: 'sales', weight: 3 }];
  await acme.post('/v2/workspace/facts', { section: 'icp', content: { fit } });
  const [item] = await of('decayed_fact');
  expect(item).toMatchObject({ suggested: { missing: ['department'] } });
  expect(item!.urgency).toBeCloseTo(100 * (1 - 2 ** (-300 / 365)) * 0.75, 0);
});

it('meetings of the next days come first, and go when they are cancelled', async () => {
  const plan = (hours: number) => ({
    value: { start: new Date(Date.now() + hours * 3_600_000).toISOString(), uid: `m${hours}`, title: 'Demo' },
  });
  await about('ada', event('meeting_scheduled', plan(5)));
  await about('bo', event('meeting_scheduled', plan(100)));
  await about('cy', event('meeting_scheduled', plan(24 * 9)));
  await about('di', event('meeting_scheduled', plan(6)), event('meeting_cancelled', plan(6)));
  const items = await of('upcoming_meeting');
  expect(items.map(({ urgency }) => urgency)).toEqual([100, expect.closeTo(78.9, 0)]);
  expect(items[0]).toMatchObject({ when: expect.stringContaining('Z'), what: expect.stringContaining('Demo') });
});

it('tells open commitments, overdue ones above the rest', async () => {
  const due = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  await about('ada', state('action_item.1', { text: 'Send the offer', due: due(-2) }));
  await about('bo', state('action_item.1', { text: 'Call back', due: due(20) }));
  await about('cy', state('action_item.1', 'Ask about budget'), state('action_item.2', { text: 'x', status: 'done' }));
  const items = await of('open_commitment,commitment_due');
  expect(items.map(({ kind }) => kind)).toEqual(['commitment_due', 'open_commitment', 'open_commitment']);
  expect(items.map(({ urgency }) => urgency)).toEqual([92, 50, 40]);
  expect(items[0]!.what).toMatch(/^Waits for: Send the offer \(due/);
});

it('tells disputes and proposed merges', async () => {
  const ada = await about(
    'ada',
    state('title', 'CRO', { source: 'user', method: 'correction', observed_at: ago(50) }),
    state('title', 'VP', { source: 'csv', observed_at: ago(19) }),
  );
  await record(acme, 'info@initech.com', [state('title', 'x')]);
  await about('bo', state('email', 'info@initech.com'));
  const items = await of('contested_claim,merge_proposal');
  expect(items.map(({ kind }) => kind)).toEqual(['contested_claim', 'merge_proposal']);
  expect(items.find(({ kind }) => kind === 'contested_claim')).toMatchObject({
    entity_id: ada.entity_id,
    urgency: 52.5,
    suggested: { missing: ['title'] },
  });
  const meta = (await attention()).meta;
  expect(meta.contested_claims).toBe(1);
});

it('lists contested claims alone to their end, the most urgent first', async () => {
  const dispute = (property: string) => [
    state(property, 'a', { source: 'crm', observed_at: ago(5) }),
    state(property, 'b', { source: 'linkedin', observed_at: ago(2) }),
  ];
  for (let i = 0; i < 52; i++) await about(`p${i}`, ...dispute('city'));
  const ada = await about('ada', ...dispute('title'));
  await acme.post('/v2/workspace/facts', {
    section: 'icp',
    content: { fit: [{ property: 'title', op: 'exists', weight: 1 }] },
  });
  const { items, meta } = await attention({ kinds: 'contested_claim', limit: '5' });
  expect(meta.contested_claims).toBe(53);
  expect(items[0]!.entity_id).toBe(ada.entity_id);
});

it('tells leads to work now and plays that changed', async () => {
  const score = (play: string, days: number) =>
    state('lead_score', { priority: 88, play }, { source: 'system:score', observed_at: ago(days) });
  const ada = await about('ada', score('nurture', 20), score('work now', 2));
  const bo = await about('bo', score('work now', 20), score('nurture', 10));
  await listWith(hub, acme, [ada.entity_id], { play: 'work now', priority: 88 });
  await listWith(hub, acme, [bo.entity_id], { play: 'nurture', priority: 88 });
  expect(await of('work_now')).toMatchObject([
    { entity_id: ada.entity_id, urgency: 88, suggested: { play: 'work now' } },
  ]);
  expect(await of('play_changed')).toMatchObject([
    { entity_id: ada.entity_id, what: 'Went from "nurture" to "work now".', urgency: 75.2 },
  ]);
});

it('shows three items of one entity at most', async () => {
  const old = { observed_at: ago(170) };
  const facts = ['pain', 'intent', 'timeline', 'budget', 'funding'].map(property => state(property, 'x', old));
  await about('ada', ...facts, call(3));
  expect((await attention()).items).toHaveLength(3);
});

it('pages through all of it, once each, and keeps the clock of the first page', async () => {
  for (let n = 0; n < 7; n++) await about(`p${n}`, call(30 + n));
  const whole = await attention();
  const seen: PresentedItem[] = [];
  let cursor = '';
  for (let pages = 0; pages < 10; pages++) {
    const page = await attention({ limit: '3', ...(cursor && { cursor }) });
    seen.push(...page.items);
    expect(page.meta.total).toBe(7);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(seen.map(({ id }) => id)).toEqual(whole.items.map(({ id }) => id));
  const urgencies = seen.map(({ urgency }) => urgency);
  expect(urgencies).toEqual(urgencies.toSorted((a, b) => b - a));
  expect((await ask({ cursor, kinds: 'going_dark' })).body.error).toBe('cursor_mismatch');
});

it('knows nothing that was stated after the time it looks from', async () => {
  await about('ada', state('title', 'VP Sales'), state('action_item.offer', 'Send the offer'), call(20));
  await acme.post('/v2/score', { identifier: 'ada@gmail.com' });
  expect((await attention()).items.map(({ kind }) => kind)).toContain('open_commitment');
  expect((await attention({ as_of: ago(15) })).items.filter(({ kind }) => kind !== 'going_dark')).toEqual([]);
});

it('looks from another time, and at what somebody owns', async () => {
  await about('ada', state('owner', 'Bo'), call(15));
  await about('cy', state('owner', 'Di'), call(15));
  expect((await attention()).items).toHaveLength(0);
  const later = new Date(Date.now() + 10 * DAY).toISOString();
  expect((await attention({ as_of: later })).items).toHaveLength(2);
  expect((await attention({ as_of: later, owner: 'bo' })).items).toHaveLength(1);
  expect((await attention({ limit: '1000' })).limit).toBe(100);
});

it.each([
  [{ limit: '0' }, 'invalid_request'],
  [{ limit: '1.5' }, 'invalid_request'],
  [{ kinds: 'going_dark,hot' }, 'invalid_request'],
  [{ as_of: 'monday' }, 'invalid_request'],
  [{ owner: '' }, 'invalid_request'],
  [{ cursor: 'x' }, 'cursor_mismatch'],
  [{ types: 'quiet' }, 'unknown_query_param'],
])('refuses %j', async (query, error) => {
  const { status, body } = await ask(query as Record<string, string>);
  expect({ status, error: body.error }).toEqual({ status: 400, error });
});

it('sees nothing of another workspace', async () => {
  await about('ada', call(30));
  const outsider = await hub.workspace();
  expect((await ask({}, outsider)).body.items).toEqual([]);
  expect((await attention()).items).toHaveLength(1);
});

describe('deals', () => {
  const silent = (days: number) => event('email_sent', { observed_at: ago(days) });

  it('are found by stages in words of their own, and not where they are over', async () => {
    const open = ['3. Proposal sent', 'In Verhandlung', 'Contract out', 'Stage 4', 'Legal review'];
    const over = ['Closed - Lost', 'Closed Won', 'Perdido', 'Not interested', 'Kunde'];
    for (const [i, stage] of [...open, ...over].entries()) await about(`p${i}`, state('stage', stage), silent(40));
    const items = await of('going_dark');
    expect(items).toHaveLength(open.length);
    expect(items.every(({ urgency }) => urgency > 0)).toBe(true);
  });

  it('follow the type that the CRM gives to their stage', async () => {
    await about('ada', state('stage', 'Phase 9'), state('stage_type', 'won'), silent(40));
    await about('bo', state('stage', 'Phase 9'), state('deal_status', 'lost'), silent(40));
    const cy = await about('cy', state('stage', 'Phase 9'), state('stage_type', 'open'), silent(40));
    expect((await of('going_dark')).map(({ entity_id }) => entity_id)).toEqual([cy.entity_id]);
  });

  it('are listed even where nobody has spoken yet, and cold outreach is not', async () => {
    const ada = await about('ada', state('stage', 'proposal', { observed_at: ago(30) }));
    await about('bo', silent(30));
    await about('cy', silent(30), event('page_visited', { observed_at: ago(29) }));
    expect((await of('going_dark')).map(({ entity_id }) => entity_id)).toEqual([ada.entity_id]);
  });

  it('are not quiet while somebody is out of office, and an automatic reply is no contact', async () => {
    const away = (property: string, value: object) =>
      about('ada', event(property, { observed_at: ago(10), source: 'email:gmail', value }));
    const { entity_id } = await about('ada', state('stage', 'negotiation'), call(14));
    await away('out_of_office', { return_date: new Date(Date.now() + 3 * DAY).toISOString().slice(0, 10) });
    expect(await of('going_dark')).toEqual([]);
    const as_of = new Date(Date.now() + 12 * DAY).toISOString();
    const later = (await attention({ kinds: 'going_dark', as_of })).items;
    expect(later.map(item => item.entity_id)).toEqual([entity_id]);
    expect(Date.parse(later[0]!.since)).toBeLessThan(Date.now() - 13 * DAY);
  });

  it('are not quiet over holidays of the country of the person or their company, nor over its weekend', async () => {
    const spokeOn = (at: string) => [
      state('stage', 'negotiation', { observed_at: '2025-11-03T09:00:00Z' }),
      event('call_held', { observed_at: at }),
    ];
    const country = (name: string) => state('country', name, { observed_at: '2025-11-03T09:00:00Z' });
    const darkAt = async (as_of: string) =>
      (await attention({ kinds: 'going_dark', as_of })).items.map(({ entity_name }) => entity_name);
    const called = (name: string, at: string, ...rest: object[]) =>
      about(name, state('name', name, { observed_at: '2025-11-03T09:00:00Z' }), ...spokeOn(at), ...rest);
    const beforeChristmas = '2025-12-23T16:00:00Z';
    await called('Ada', beforeChristmas);
    await called('Bo', beforeChristmas, country('Germany'));
    await record(acme, 'globex.com', [country('Deutschland')]);
    await record(acme, 'cy@globex.com', [
      state('name', 'Cy', { observed_at: '2025-11-03T09:00:00Z' }),
      ...spokeOn(beforeChristmas),
    ]);
    expect(await darkAt('2025-12-29T16:00:00Z')).toEqual(['Ada']);
    expect((await darkAt('2026-01-05T16:00:00Z')).toSorted()).toEqual(['Ada', 'Bo', 'Cy']);
  });

  it('are not quiet over the weekend of their country', async () => {
    const stated = { observed_at: '2025-10-01T09:00:00Z' };
    const monday = event('call_held', { observed_at: '2025-11-17T15:00:00Z' });
    const stage = state('stage', 'negotiation', stated);
    await about('ada', state('country', 'Egypt', stated), stage, monday);
    const { entity_id } = await about('bo', state('country', 'France', stated), stage, monday);
    const { items } = await attention({ kinds: 'going_dark', as_of: '2025-11-22T16:00:00Z' });
    expect(items.map(item => item.entity_id)).toEqual([entity_id]);
  });

  it('are proposed to be closed when they are long dead, below those that can be saved', async () => {
    const ada = await about('ada', state('stage', 'negotiation'), call(120));
    const bo = await about('bo', state('stage', 'negotiation'), call(14));
    const items = await of('going_dark');
    expect(items.map(({ entity_id }) => entity_id)).toEqual([bo.entity_id, ada.entity_id]);
    expect(items[1]!.suggested_action).toMatch(/^Close it as lost/);
  });

  it('all are found among many more entities', async () => {
    const rows = 3000;
    await hub.database.pool.query(
      `INSERT INTO entities (workspace_id, id, type, name, last_activity_at)
       SELECT $1, gen_random_uuid(), 'person', 'P' || n, now() - make_interval(days => 6 + n % 150)
       FROM generate_series(1, $2::int) AS n`,
      [acme.workspaceId, rows],
    );
    const ids = new Set<string>();
    for (let n = 0; n < 60; n++) {
      const { entity_id } = await about(`d${n}`, state('stage', n % 2 ? 'Demo done' : 'negotiation'), silent(12 + n));
      ids.add(entity_id);
    }
    const found = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: AttentionResponse = await attention({ kinds: 'going_dark', limit: '100', ...(cursor && { cursor }) });
      for (const { entity_id } of page.items) found.add(entity_id);
      cursor = page.next_cursor;
    }
    expect([...ids].filter(id => !found.has(id))).toEqual([]);
  });
});

describe('replies, meetings and callbacks', () => {
  it('lists a reply that waits for an answer, and no automatic one', async () => {
    const replied = (days: number, value: object = {}) => event('email_replied', { observed_at: ago(days), value });
    const ada = await about('ada', event('email_sent', { observed_at: ago(4) }), replied(2));
    await about('bo', replied(2), event('email_sent', { observed_at: ago(1) }));
    await about('cy', replied(2, { subject: 'Automatic reply: Re: Demo' }));
    await about('di', replied(2, { auto_reply: true }));
    await about('ed', state('stage', 'lost', { observed_at: ago(1) }), replied(2));
    await about('fe', replied(2), event('page_visited', { observed_at: ago(1) }), state('do_not_contact', true));
    const items = await of('unanswered_reply');
    expect(items.map(({ entity_id }) => entity_id)).toEqual([ada.entity_id]);
    expect(items[0]!.evidence).toEqual([ada.observation_ids[1]]);
  });

  it('lists a meeting without an outcome until something says what came of it', async () => {
    const held = (days: number) =>
      event('meeting_scheduled', { value: { start: ago(days), uid: `m${days}` }, observed_at: ago(days + 7) });
    const ada = await about('ada', held(2));
    await about('bo', held(2), event('meeting_held', { observed_at: ago(2 - 0.1) }));
    await about('cy', held(2), state('stage', 'proposal'));
    const di = await about('di', held(2));
    await acme.post('/v2/notes', { focus: di.entity_id, type: 'meeting_notes', content: 'They want a pilot.' });
    await about('ed', held(40));
    expect((await of('meeting_without_outcome')).map(({ entity_id }) => entity_id)).toEqual([ada.entity_id]);
  });

  it('lists a callback when it is due, until somebody has spoken', async () => {
    const ada = await about('ada', state('callback_at', ago(1), { observed_at: ago(20) }));
    await about('bo', state('callback_at', ago(-9), { observed_at: ago(20) }));
    await about('cy', state('callback_at', ago(3), { observed_at: ago(20) }), call(2));
    const items = await of('callback_due');
    expect(items.map(({ entity_id }) => entity_id)).toEqual([ada.entity_id]);
    expect(items[0]!.when).toBeTruthy();
  });
});
