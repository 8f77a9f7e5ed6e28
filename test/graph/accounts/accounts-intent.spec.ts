import { account, event, record, state, tryAccount } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: Client;
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
  await record(acme, 'ada@engine.com', [
    state('name', 'Ada Lovelace'),
    state('title', 'VP Sales'),
    state('stage', 'evaluating'),
    event('email_sent', { observed_at: ago(3), source: 'crm:hubspot', value: { subject: 'Our offer' } }),
    event('meeting_held', { observed_at: ago(4), source: 'calcom', value: { description: 'Demo with the team' } }),
    ...Array.from({ length: 30 }, (_, i) => event('email_opened', { observed_at: ago(10 + i), external_id: `o${i}` })),
  ]);
  await record(acme, 'bob@engine.com', [state('name', 'Bob'), event('email_sent', { observed_at: ago(1) })]);
  await record(acme, 'engine.com', [state('name', 'Engine'), state('industry', 'software')]);
});
afterAll(() => hub.end());

describe('an account with an intent', () => {
  it('says what matters most, how much there is, and who decides', async () => {
    const body = await account(acme, 'ada@engine.com', { intent: 'draft_email' });
    expect(body.key_activity).toHaveLength(8);
    expect(body.key_activity!.slice(0, 2)).toMatchObject([
      { what: 'meeting held', source: 'Calcom', detail: 'Demo with the team' },
      { what: 'email sent', source: 'Hubspot', detail: 'Our offer' },
    ]);
    expect(body.activity_summary).toMatchObject({
      total_observations: 36,
      by_type: { email_opened: 30, email_sent: 1, meeting_held: 1, title: 1, company: 1 },
    });
    expect(body.stakeholders).toMatchObject([{ name: 'Bob', role: null, engaged: false, confirmed: false }]);
    expect(body.committee).toMatchObject({
      company: 'Engine',
      size: 2,
      engaged: 1,
      single_threaded: true,
      has_engaged_decision_maker: true,
      champion: null,
    });
    expect(body.recent_observations).toHaveLength(36);
  });

  it.each([
    ['follow_up', 14],
    ['meeting_prep', 20],
    ['call_prep', 20],
    ['account_review', 24],
  ])('%s names %i things that happened', async (intent, count) => {
    expect((await account(acme, 'ada@engine.com', { intent })).key_activity).toHaveLength(count);
  });

  it('leaves the timeline out when it is compressed', async () => {
    const { body } = await tryAccount(acme, 'ada@engine.com', { compress: '1' });
    expect(body.recent_observations).toBeUndefined();
    expect(body.key_activity).toHaveLength(18);
    expect(Object.keys(await account(acme, 'ada@engine.com'))).not.toContain('key_activity');
  });

  it('tells signals as sentences, and the score that was last recorded', async () => {
    const other = await hub.workspace();
    await record(other, 'cy@hopper.com', [
      state('title', 'CTO'),
      state('signal.hiring', { detected: 'Hires engineers', implies: 'grows' }, { observed_at: ago(2) }),
      state('note.pets', 'Has two cats'),
    ]);
    const before = await account(other, 'cy@hopper.com');
    expect(before.facts).toMatchObject([
      { category: 'note.pets', content: 'Has two cats' },
      { category: 'signal.hiring', content: 'Hires engineers; grows' },
    ]);
    expect(before).not.toHaveProperty('icp');
    await other.post('/v2/score', { identifier: 'cy@hopper.com' });
    const { icp } = await account(other, 'cy@hopper.com');
    expect(icp).toMatchObject({ score: null, fit: null, tier: null, history: [], outcome_score: null });
  });

  it('tells colleagues as they were, and nobody who was not known by then', async () => {
    const then = { as_of: ago(2) };
    const past = await account(acme, 'engine.com', { ...then, compress: '1' });
    expect(past.people).toMatchObject([{ name: null, title: null }]);
    expect(past.committee).toMatchObject({ size: 1, engaged: 1, has_engaged_decision_maker: false });
    const long = await account(acme, 'engine.com', { as_of: ago(100), compress: '1' });
    expect({ people: long.people, committee: long.committee }).toEqual({ people: [], committee: null });
  });

  it('names the intents that there are', async () => {
    const { status, body } = await tryAccount(acme, 'ada@engine.com', { intent: 'dance' });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: 'invalid_intent', valid_intents: expect.arrayContaining(['draft_email']) },
    });
  });
});

describe('the account of a company', () => {
  it('has its people, and their events tagged with whose they are', async () => {
    const body = await account(acme, 'engine.com');
    expect(body.people).toMatchObject([
      { name: 'Bob', email: 'bob@engine.com', title: null },
      { name: 'Ada Lovelace', title: 'VP Sales', stage: 'evaluating' },
    ]);
    expect(body.people_count).toBe(2);
    const { activity_summary } = await account(acme, 'engine.com', { intent: 'call_prep' });
    expect(activity_summary).toMatchObject({
      total_observations: 35,
      by_type: { email_opened: 30, email_sent: 2, meeting_held: 1, name: 1, industry: 1 },
    });
    const ada = body.people![1]!.entity_id;
    expect(body.recent_observations.find(({ type }) => type === 'meeting_held')).toMatchObject({ person_id: ada });
    const own = body.recent_observations.filter(({ person_id }) => person_id === undefined);
    expect(own.map(({ property }) => property).toSorted()).toEqual(['industry', 'name']);
    expect(body.recent_observations.some(({ property }) => property === 'title')).toBe(false);
    expect(Object.keys(await account(acme, 'ada@engine.com'))).not.toContain('people');
  });

  it('pages through both in one order', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await account(acme, 'engine.com', { limit: '7', ...(cursor && { cursor }) });
      seen.push(...page.recent_observations.map(({ observed_at }) => observed_at));
      cursor = page.next_cursor;
    }
    expect(seen).toHaveLength(35);
    expect(seen).toEqual(seen.toSorted().toReversed());
  });

  it('follows people who were merged', async () => {
    await record(acme, 'ada.private@gmail.com', [event('call_held', { observed_at: ago(2) })]);
    const { body } = await acme.post<{ entity_id: string }>('/v2/entities/merge', {
      a: 'ada@engine.com',
      b: 'ada.private@gmail.com',
    });
    expect(body).toBeDefined();
    const { people, recent_observations } = await account(acme, 'engine.com');
    expect(people!.map(({ name }) => name).toSorted()).toEqual(['Ada Lovelace', 'Bob']);
    expect(recent_observations.some(({ type }) => type === 'meeting_held')).toBe(true);
  });
});
