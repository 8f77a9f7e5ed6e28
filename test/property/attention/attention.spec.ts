import fc from 'fast-check';
import { findDecayedFacts, buildDecayTable } from '#domain/attention/fact-items.js';
import {
  findGoingDark,
  computeSilenceLimitDays,
  DEFAULT_SILENCE_LIMIT_DAYS,
  STAGE_SILENCE_LIMIT_DAYS,
} from '#domain/attention/silence-items.js';
import {
  type AttentionItem,
  compareAttentionRank,
  ATTENTION_KINDS,
  rankItems,
  toAttentionRank,
} from '#domain/attention/attention-item.js';
import { groupByAccount } from '#domain/attention/account-items.js';
import type { AttentionEntity } from '#domain/attention/attention-entity.js';
import { defaultRules } from '#domain/claims/rules.js';
import { listUpcomingMeetings } from '#domain/meetings/upcoming-meetings.js';
import { DAY_US, parseInstant, toIso } from '#domain/time/instant.js';
import { WorkCalendar } from '#domain/time/work-calendar.js';

const NOW = Date.UTC(2026, 10, 20) * 1000;
/** A country that works on every day, so that days count as they are. */
const EVERY_DAY = new WorkCalendar(new Set());
const FIVE_DAYS = new WorkCalendar(new Set([6, 7]));

const subject = (days: readonly number[], stage?: string): AttentionEntity => {
  const interactions = days.map(each => ({
    id: `e${each}`,
    at: NOW - each * DAY_US,
    property: 'interaction.email_replied',
  }));
  const claim = { property: 'stage', confidence: 0.75, class: 'asserted', supportedAt: NOW } as const;
  const claims = stage === undefined ? [] : [{ ...claim, value: stage }];
  return { entityId: 'a', claims, lastActivity: interactions[0]?.at ?? null, interactions, meetings: [] };
};

const item = fc.record({
  kind: fc.constantFrom(...ATTENTION_KINDS),
  entityId: fc.constantFrom('a', 'b', 'c'),
  about: fc.uuid(),
  urgency: fc.integer({ min: 0, max: 4 }),
  since: fc.integer({ min: 0, max: 3 }),
  what: fc.constant('x'),
  action: fc.constant('x'),
  evidence: fc.constant([]),
}) as fc.Arbitrary<AttentionItem>;

it('the order does not depend on the order of arrival, and nobody has more than three items', () => {
  const items = fc.uniqueArray(item, { selector: ({ about }) => about, maxLength: 30 });
  fc.assert(
    fc.property(
      items.chain(all => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        const order = rankItems(all);
        expect(rankItems(shuffled)).toEqual(order);
        for (const [i, each] of order.slice(1).entries()) {
          expect(compareAttentionRank(toAttentionRank(order[i]!), toAttentionRank(each))).toBeLessThan(0);
        }
        for (const own of Map.groupBy(order, ({ entityId }) => entityId).values()) {
          expect(own.length).toBeLessThanOrEqual(3);
        }
      },
    ),
  );
});

it('a company has one item for its quiet people, and no item is lost or twice in the list', () => {
  const accounts = new Map([
    ['a', 'x'],
    ['b', 'x'],
  ]);
  fc.assert(
    fc.property(fc.array(item, { maxLength: 30 }), items => {
      const grouped = groupByAccount(items, id => accounts.get(id), NOW);
      const inside = grouped.flatMap(each => each.people ?? [each]);
      expect(new Set(inside)).toEqual(new Set(items));
      expect(inside).toHaveLength(items.length);
      const quiet = grouped.filter(({ kind, entityId }) => kind === 'going_dark' && ['a', 'b', 'x'].includes(entityId));
      expect(quiet.length).toBeLessThanOrEqual(1);
      for (const { people, urgency, since } of grouped) {
        if (!people) continue;
        expect(urgency).toBe(Math.max(...people.map(each => each.urgency)));
        expect(since).toBe(Math.max(...people.map(each => each.since)));
      }
    }),
  );
});

it('urgency is within 0 and 100, grows with the silence for six limits, and then falls', () => {
  const stage = fc.constantFrom(...Object.keys(STAGE_SILENCE_LIMIT_DAYS), undefined);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 60 }), stage, (days, more, word) => {
      const [first] = findGoingDark(subject([days], word), NOW, EVERY_DAY);
      const [later] = findGoingDark(subject([days + more], word), NOW, EVERY_DAY);
      const limit =
        word === undefined
          ? DEFAULT_SILENCE_LIMIT_DAYS
          : STAGE_SILENCE_LIMIT_DAYS[word as keyof typeof STAGE_SILENCE_LIMIT_DAYS];
      expect(first !== undefined).toBe(days > limit);
      if (!first) return;
      expect(first.urgency).toBeGreaterThan(0);
      expect(first.urgency).toBeLessThanOrEqual(100);
      if (days + more <= 6 * limit) expect(later!.urgency).toBeGreaterThanOrEqual(first.urgency);
      if (days >= 6 * limit) expect(later!.urgency).toBeLessThanOrEqual(first.urgency);
    }),
  );
});

describe('days out of office', () => {
  const away = (from: number, back: number) => ({
    id: `o${from}`,
    at: NOW - from * DAY_US,
    property: 'interaction.out_of_office',
    awayUntil: NOW - back * DAY_US,
  });
  const quiet = (days: number, ...absences: ReturnType<typeof away>[]): AttentionEntity => {
    const entity = subject([days], 'negotiation');
    const interactions = [...entity.interactions, ...absences].toSorted((one, other) => other.at - one.at);
    return { ...entity, interactions };
  };

  it.each<[title: string, entity: AttentionEntity, days: number | undefined]>([
    ['none', quiet(12), 12],
    ['some that are over', quiet(12, away(10, 5)), 7],
    ['some that overlap', quiet(20, away(18, 10), away(14, 6)), 8],
    ['so many that the rest is usual', quiet(12, away(11, 2)), undefined],
    ['some before the last contact', quiet(8, away(30, 20)), 8],
    ['some that began before the last contact', quiet(12, away(15, 9)), 9],
    ['some that last until tomorrow', quiet(40, away(10, -1)), undefined],
  ])('do not count as silence: %s', (_title, entity, days) => {
    const [item] = findGoingDark(entity, NOW, EVERY_DAY);
    expect(item?.what.replace(' besides those out of office', '')).toBe(
      days && `has been quiet for ${days} days; 5 would be usual`,
    );
    expect(item?.what.includes('besides')).toBe(days && (NOW - item!.since) / DAY_US > days);
  });
});

describe('weekends and public holidays', () => {
  const quietFrom = (since: string, to: string, calendar: WorkCalendar) => {
    const at = parseInstant(since)!;
    const entity = subject([], 'negotiation');
    const interactions = [{ id: 'e', at, property: 'interaction.email_replied' }];
    return findGoingDark({ ...entity, interactions, lastActivity: at }, parseInstant(to)!, calendar)[0]?.what;
  };
  const christmas = new WorkCalendar(
    new Set([6, 7]),
    year => new Set([`${year}-12-25`, `${year}-12-26`, `${year}-01-01`].map(day => parseInstant(day)! / DAY_US)),
  );

  it.each<[title: string, since: string, to: string, calendar: WorkCalendar, what: string | undefined]>([
    ['a week with its weekend', '2026-11-12T09:00:00Z', '2026-11-19T09:00:00Z', FIVE_DAYS, 'has been quiet for 7 days'],
    ['five days with a weekend', '2026-11-12T09:00:00Z', '2026-11-17T10:00:00Z', FIVE_DAYS, undefined],
    ['five days without one', '2026-11-09T09:00:00Z', '2026-11-14T10:00:00Z', FIVE_DAYS, 'has been quiet for 5 days'],
    ['four days without one', '2026-11-09T09:00:00Z', '2026-11-13T10:00:00Z', FIVE_DAYS, undefined],
    ['two weekends', '2026-11-13T17:00:00Z', '2026-11-22T17:00:00Z', FIVE_DAYS, 'has been quiet for 9 days'],
    ['Christmas', '2026-12-23T16:00:00Z', '2026-12-29T16:00:00Z', christmas, undefined],
    [
      'the days until New Year',
      '2026-12-22T16:00:00Z',
      '2027-01-04T16:00:00Z',
      christmas,
      'has been quiet for 13 days',
    ],
    [
      'the same days without holidays',
      '2026-12-23T16:00:00Z',
      '2026-12-29T16:00:00Z',
      FIVE_DAYS,
      'has been quiet for 6 days',
    ],
  ])('count as silence only beyond those of a week: %s', (_title, since, to, calendar, what) => {
    const found = quietFrom(since, to, calendar);
    expect(found?.split(';')[0]).toBe(what);
  });

  it('never make an item appear earlier, and full weeks count as they are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 50 }), (days, weeks) => {
        const [item] = findGoingDark(subject([days], 'negotiation'), NOW, FIVE_DAYS);
        const [daily] = findGoingDark(subject([days], 'negotiation'), NOW, EVERY_DAY);
        if (item) expect(daily).toBeDefined();
        const full = subject([7 * weeks], 'negotiation');
        expect(findGoingDark(full, NOW, FIVE_DAYS)).toEqual(findGoingDark(full, NOW, EVERY_DAY));
      }),
    );
  });

  it('are counted as a walk from day to day counts them', () => {
    const instant = fc.integer({ min: Date.UTC(2019, 0) * 1000, max: Date.UTC(2029, 0) * 1000 });
    const isWorkday = (day: number) => {
      const date = new Date(day * 86_400_000).toISOString().slice(5, 10);
      return ![0, 6].includes(new Date(day * 86_400_000).getUTCDay()) && !['12-25', '12-26', '01-01'].includes(date);
    };
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 800 * DAY_US }), (from, length) => {
        const to = from + length;
        let time = 0;
        for (let day = Math.floor(from / DAY_US); day * DAY_US < to; day++)
          if (isWorkday(day)) time += Math.min(to, (day + 1) * DAY_US) - Math.max(from, day * DAY_US);
        expect(christmas.computeWorkTime(from, to)).toBe(time);
      }),
    );
  });
});

it('a rhythm counts from four interactions on, twice its median', () => {
  expect(computeSilenceLimitDays(subject([20, 40, 60]), 'negotiation')).toBe(5);
  expect(computeSilenceLimitDays(subject([20, 40, 60, 80]), 'negotiation')).toBe(40);
  expect(computeSilenceLimitDays(subject([20, 21, 22, 23]), 'negotiation')).toBe(5);
  expect(computeSilenceLimitDays(subject([20, 30, 41, 81]), undefined)).toBe(22);
});

describe('meetings', () => {
  const scheduled = (id: string, day: number, value: object) => ({
    id,
    property: 'interaction.meeting_scheduled',
    value: value as never,
    observedAt: NOW + day * DAY_US,
  });
  const cancelled = (id: string, day: number, value: object | null) => ({
    ...scheduled(id, day, value ?? {}),
    property: 'interaction.meeting_cancelled',
  });
  const start = (day: number) => ({ start: toIso(NOW + day * DAY_US) });
  const ids = (events: readonly ReturnType<typeof scheduled>[]) =>
    listUpcomingMeetings(events, NOW).map(({ id }) => id);

  it.each([
    ['lies ahead', [scheduled('a', -3, start(1))], ['a']],
    ['is over', [scheduled('a', -3, start(-1))], []],
    [
      'has its new time',
      [scheduled('a', -3, { ...start(1), uid: 1 }), scheduled('b', -2, { ...start(2), uid: 1 })],
      ['b'],
    ],
    [
      'took the place of another',
      [scheduled('a', -3, { ...start(1), uid: 1 }), scheduled('b', -2, { ...start(2), uid: 2, rescheduled_from: 1 })],
      ['b'],
    ],
    ['was cancelled by id', [scheduled('a', -3, { ...start(1), uid: 1 }), cancelled('b', -2, { uid: 1 })], []],
    ['was cancelled by its start', [scheduled('a', -3, { ...start(1), uid: 1 }), cancelled('b', -2, start(1))], []],
    [
      'was cancelled with all',
      [scheduled('a', -3, start(1)), scheduled('c', -3, start(2)), cancelled('b', -2, null)],
      [],
    ],
    [
      'stays when another is cancelled',
      [scheduled('a', -3, { ...start(1), uid: 1 }), cancelled('b', -2, { uid: 2 })],
      ['a'],
    ],
    [
      'was scheduled again',
      [scheduled('a', -3, start(1)), cancelled('b', -2, start(1)), scheduled('c', -1, start(1))],
      ['c'],
    ],
  ])('a meeting that %s', (_, events, wanted) => {
    expect(ids(events)).toEqual(wanted);
    expect(ids(events.toReversed())).toEqual(wanted);
  });
});

it('no fact has decayed that is younger than the table of its rules says', () => {
  const table = buildDecayTable(defaultRules);
  const word = fc.constantFrom(...table.properties, 'a word of their own');
  const some = fc.tuple(word, fc.double({ min: 0, max: 4000, noNaN: true }));
  let found = 0;
  fc.assert(
    fc.property(some, ([property, days]) => {
      const claim = {
        property,
        value: 'x',
        confidence: 0.75,
        class: 'asserted',
        supportedAt: NOW - days * DAY_US,
      } as const;
      const items = findDecayedFacts({ ...subject([1]), claims: [claim] }, new Map(), defaultRules, NOW);
      found += items.length;
      const from = table.days[table.properties.indexOf(property)] ?? table.defaultDays;
      if (items.length > 0) expect(days).toBeGreaterThanOrEqual(from);
    }),
  );
  expect(found).toBeGreaterThan(0);
});
