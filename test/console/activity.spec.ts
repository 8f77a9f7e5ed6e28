import { ACTIVITY_WEEKS, countWeeks } from '../../console/src/accounts/activity.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-24T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

describe('the activity of an account', () => {
  it('counts each event in the week that it happened in, the oldest week first', () => {
    const weeks = countWeeks([daysAgo(0.1), daysAgo(6.9), daysAgo(7.1), daysAgo(25 * 7 + 1), daysAgo(400)], 0, NOW);
    expect(weeks).toHaveLength(ACTIVITY_WEEKS);
    expect(weeks.map(({ count }) => count)).toEqual([1, ...Array<number>(23).fill(0), 1, 2]);
  });

  it('leaves out weeks of which not all events are known', () => {
    const weeks = countWeeks([daysAgo(1), daysAgo(15)], NOW - 15 * DAY_MS, NOW);
    expect(weeks.map(({ count }) => count)).toEqual([0, 1]);
  });

  it('leaves out what happened after the day that is shown', () => {
    const weeks = countWeeks([daysAgo(1), daysAgo(15)], 0, NOW - 10 * DAY_MS);
    expect(weeks.reduce((sum, { count }) => sum + count, 0)).toBe(1);
  });
});
