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
  const items = await of('open_commitment');
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
  const stranger = await hub.workspace();
  expect((await ask({}, stranger)).body.items).toEqual([]);
  expect((await attention()).items).toHaveLength(1);
});
