import type { PresentedClaim } from '#graph/accounts/accounts.presenter.js';
import { toIso } from '#domain/time/instant.js';
import {
  account,
  type ErrorBody,
  event,
  record,
  state,
  tryAccount,
  wholeTimeline,
} from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

/** The moment up to which everything that was recorded before is known, by the clock of the database. */
const knownNow = async (id: string) => (await account(acme, id)).known_at;

describe('as_of and known_at', () => {
  const who = 'bitemporal@acme.com';
  const times: string[] = [];

  beforeAll(async () => {
    for (const fact of [
      state('title', 'VP', { observed_at: '2026-01-10' }),
      state('title', 'CRO', { observed_at: '2026-05-01' }),
      state('title', null, { observed_at: '2026-03-01' }),
      state('title', 'Advisor', { observed_at: '2026-03-01', source: 'user', method: 'correction' }),
    ]) {
      await record(acme, who, [fact]);
      times.push(await knownNow(who));
    }
  });

  it.each([
    ['2025-12-31', 0, undefined],
    ['2026-02-01', 0, 'VP'],
    ['2026-06-01', 0, 'VP'],
    ['2026-04-30T23:59:59.999999Z', 1, 'VP'],
    ['2026-05-01', 1, 'CRO'],
    ['2026-02-28', 2, 'VP'],
    ['2026-04-01', 2, null],
    ['2026-06-01', 2, 'CRO'],
    ['2026-04-01', 3, 'Advisor'],
    ['2026-04-01', 1, 'VP'],
    ['2025-12-31', 3, undefined],
  ])('as of %s, with the first %i later facts known, the title is %s', async (as_of, known, title) => {
    const body = await account(acme, who, { as_of, known_at: times[known]! });
    expect(body.claims['title']?.value).toBe(title);
    expect(body.recent_observations.every(o => o.observed_at <= body.as_of && o.recorded_at <= body.known_at)).toBe(
      true,
    );
  });

  it('tells an end that was reported late as a period of its own', async () => {
    const { claims } = await account(acme, who, { as_of: '2026-06-01', known_at: times[2]! });
    expect(claims['title']).toMatchObject({
      value: 'CRO',
      history: [
        { value: null, valid_from: '2026-03-01T00:00:00.000000Z', valid_to: '2026-05-01T00:00:00.000000Z' },
        { value: 'VP', valid_from: '2026-01-10T00:00:00.000000Z', valid_to: '2026-03-01T00:00:00.000000Z' },
      ],
    });
    const ended = await account(acme, who, { as_of: '2026-04-01', known_at: times[2]! });
    expect(ended.claims['title']).toMatchObject({ value: null, status: 'ended', epistemic_class: 'ended' });
  });

  it('returns the present without a time, and the same with the present time', async () => {
    const now = await account(acme, who);
    const response = await account(acme, who, { as_of: now.as_of, known_at: now.known_at });
    expect(response).toEqual(now);
  });

  it('knows nothing of anybody before the first word about them', async () => {
    const body = await account(acme, who, { known_at: '2020-01-01' });
    expect(body).toMatchObject({ claims: {}, recent_observations: [], identifiers: [], name: null });
  });

  it('tells name and activity as they were', async () => {
    const named = 'renamed@acme.com';
    const first = [
      state('name', 'Old Name', { observed_at: '2026-01-01' }),
      event('email_sent', { observed_at: '2026-01-02' }),
    ];
    await record(acme, named, first);
    await record(acme, named, [
      state('name', 'New Name', { observed_at: '2026-06-01' }),
      event('email_replied', { observed_at: '2026-06-02' }),
    ]);
    const then = await account(acme, named, { as_of: '2026-03-01' });
    expect(then).toMatchObject({
      name: 'Old Name',
      entity: { name: 'Old Name', last_activity_at: '2026-01-02T00:00:00.000000Z', last_inbound_activity_at: null },
    });
    expect(await account(acme, named)).toMatchObject({
      name: 'New Name',
      entity: {
        first_activity_at: '2026-01-02T00:00:00.000000Z',
        last_inbound_activity_at: '2026-06-02T00:00:00.000000Z',
      },
    });
  });

  it('keeps a fact about the future until its time comes, and then shows it without another write', async () => {
    const future = 'future@acme.com';
    const start = toIso((Date.now() + 1_500) * 1000);
    await record(acme, future, [
      state('title', 'Manager', { observed_at: '2026-01-01' }),
      state('title', 'Director', { observed_at: start }),
    ]);
    const ahead = await account(acme, future, { as_of: toIso((Date.now() + 60_000) * 1000) });
    expect(ahead.claims['title']).toMatchObject({ value: 'Director', valid_from: start });
    const before = await account(acme, future);
    if (before.as_of < start) {
      expect(before.claims['title']).toMatchObject({ value: 'Manager', observation_count: 1 });
      expect(before.recent_observations.map(o => o.value)).not.toContain('Director');
    }
    const due = await until('the fact is due', async () => {
      const { claims } = await account(acme, future);
      return claims['title']?.value === 'Director' && claims['title'];
    });
    expect(due).toMatchObject({
      valid_from: start,
      observation_count: 2,
      history: [{ value: 'Manager', valid_to: start }],
    });
    await record(acme, future, [state('title', 'Director', { source: 'crm' })]);
    expect((await account(acme, future)).claims['title']).toMatchObject({ value: 'Director', observation_count: 3 });
  });
});

describe('claims', () => {
  const claim = async (who: string, property: string, query = {}) =>
    (await account(acme, who, query)).claims[property]!;

  it('name what opposes them, and why it did not prevail', async () => {
    const stored = await record(acme, 'contested@acme.com', [
      state('title', 'CRO', { source: 'user', method: 'correction', observed_at: '2026-11-01' }),
      state('title', 'VP', { source: 'csv', observed_at: '2026-11-02' }),
      state('title', 'cro ', { source: 'linkedin', observed_at: '2026-11-03' }),
    ]);
    const title = await claim('contested@acme.com', 'title');
    expect(title).toMatchObject({
      value: 'CRO',
      valid_to: null,
      entity_id: stored.entity_id,
      trust_version: 'default@8',
    });
    expect(title.sources.map(s => s.observation_id)).toEqual([stored.observation_ids[0], stored.observation_ids[2]]);
    expect(title.opposing).toMatchObject([
      {
        observation_id: stored.observation_ids[1],
        source: 'csv',
        value: 'VP',
        why: expect.stringMatching(/^\S.*\S \S.*/),
      },
    ]);
  });

  it('of many values are one entry by property, and one each in a flat list', async () => {
    const who = 'many@acme.com';
    await record(acme, who, [
      state('technologies', ['Go', 'Rust'], { observed_at: '2026-11-01' }),
      state('technologies', 'Elm', { observed_at: '2026-11-02', source: 'csv' }),
      state('technologies', { $end: 'rust' }, { observed_at: '2026-11-03' }),
      state('title', 'CTO'),
    ]);
    const many = await claim(who, 'technologies', { history: 'false' });
    expect(many).toMatchObject({ value_type: 'array', status: 'current', confidence: 0.6 });
    expect(many.value).toEqual(['Go', 'Elm']);
    expect(many.values?.map(({ value, confidence }) => [value, confidence])).toEqual([
      ['Go', 0.75],
      ['Elm', 0.6],
    ]);
    const { body } = await tryAccount<{ claims: PresentedClaim[] }>(acme, who, { claims: 'list', history: 'false' });
    expect(body.claims.map(({ property, value }) => [property, value])).toEqual([
      ['company', 'acme.com'],
      ['technologies', 'Go'],
      ['technologies', 'Elm'],
      ['title', 'CTO'],
    ]);
    expect(new Set(body.claims.map(each => each.entity_id)).size).toBe(1);
  });

  it('carry their history unless it is not wanted', async () => {
    const facts = [
      state('stage', 'new', { observed_at: '2026-01-01' }),
      state('stage', 'won', { observed_at: '2026-02-01' }),
    ];
    const { observation_ids } = await record(acme, 'staged@acme.com', facts);
    expect((await claim('staged@acme.com', 'stage')).history).toEqual([
      {
        value: 'new',
        valid_from: '2026-01-01T00:00:00.000000Z',
        valid_to: '2026-02-01T00:00:00.000000Z',
        ended_by: observation_ids[1],
      },
    ]);
    expect(await claim('staged@acme.com', 'stage', { history: 'false' })).not.toHaveProperty('history');
  });
});

describe('the timeline', () => {
  const who = 'busy@acme.com';
  /** Three at every instant, so that places between equal times matter. */
  const log = Array.from({ length: 120 }, (_, i) => {
    const observed_at = toIso((Date.UTC(2026, 0, 1) + Math.floor(i / 3) * 60_000) * 1000);
    return event('page_visited', { observed_at, external_id: `visit-${i}` });
  });
  let ids: readonly string[];

  beforeAll(async () => {
    ids = (await record(acme, who, log)).observation_ids;
  });

  it('is whole and in order page by page, while new observations arrive', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await account(acme, who, { limit: '25', ...(cursor && { cursor }) });
      expect(page.has_more).toBe(page.next_cursor !== null);
      seen.push(...page.recent_observations.map(o => o.id));
      cursor = page.next_cursor;
      await record(acme, who, [event('call_held')]);
    }
    const old = seen.filter(id => ids.includes(id));
    expect(new Set(old)).toEqual(new Set(ids));
    expect(seen).toHaveLength(new Set(seen).size);
    expect(seen.filter(id => !ids.includes(id)).length).toBe(1);
  });

  it('is the same whatever the size of a page, newest first', async () => {
    const whole = await wholeTimeline(acme, who, 200);
    const bySeven = await wholeTimeline(acme, who, 7);
    expect(bySeven).toEqual(whole);
    const order = whole.map(o => `${o.observed_at} ${o.id}`);
    expect(order).toEqual(order.toSorted().toReversed());
  });

  it('ends with the last full page', async () => {
    await record(acme, 'two@acme.com', [event('call_held', { observed_at: '2026-01-01' })]);
    const { recent_observations: all } = await account(acme, 'two@acme.com');
    const page = await account(acme, 'two@acme.com', { limit: String(all.length) });
    expect({ more: page.has_more, next: page.next_cursor }).toEqual({ more: false, next: null });
  });

  it('refuses a cursor of another entity, a made-up one and a broken one', async () => {
    await record(acme, 'other@acme.com', [event('call_held')]);
    const { next_cursor, entity_id } = await account(acme, who, { limit: '1' });
    const forge = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const refusedFor: [string, string][] = [
      ['other@acme.com', next_cursor!],
      [who, 'garbage'],
      [who, ''],
      [who, `${next_cursor!.slice(0, -9)}`],
      [who, forge()],
      [who, forge(entity_id, '2026-01-01', 'no uuid')],
      [who, forge(entity_id, 'never', entity_id)],
      [who, forge(entity_id, '2026-01-01', `${entity_id}'; --`)],
      [who, forge(entity_id, '2026-01-01', 7)],
    ];
    for (const [id, cursor] of refusedFor) {
      const { status, body } = await tryAccount<ErrorBody>(acme, id, { cursor });
      expect({ cursor, status, error: body.error }).toEqual({ cursor, status: 400, error: 'cursor_mismatch' });
    }
  });

  it('shows when a meeting is, apart from when it was booked', async () => {
    const booked = {
      observed_at: '2026-11-01T10:00:00Z',
      external_id: 'm1',
      value: { start: '2026-12-01T09:00:00Z', title: 'Demo' },
    };
    await record(acme, 'meeting@acme.com', [event('meeting_scheduled', booked)]);
    const { recent_observations: rows } = await account(acme, 'meeting@acme.com');
    expect(rows.find(o => o.kind === 'event')).toMatchObject({
      type: 'meeting_scheduled',
      property: 'interaction.meeting_scheduled',
      observed_at: '2026-11-01T10:00:00.000000Z',
      when: '2026-12-01T09:00:00.000000Z',
      external_id: 'm1',
      source: 'agent',
      method: 'api',
    });
  });
});
