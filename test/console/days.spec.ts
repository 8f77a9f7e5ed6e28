import fc from 'fast-check';
import { toDayAxis, toEndOfDay, toNoon, toPosition } from '../../console/src/accounts/days.ts';

const NOW = Date.parse('2026-11-29T12:46:00Z');
const YEARS_MS = 5 * 365 * 86_400_000;

describe('the days of an account', () => {
  it('names the day of a time at any hour', () => {
    const at = Date.parse('2025-01-01T00:00:00Z');
    for (const from of ['2024-11-03T00:10:00Z', '2024-11-03T12:46:00Z', '2024-11-03T23:50:00Z']) {
      const axis = toDayAxis(Date.parse(from), NOW);
      const shown = toNoon(axis, toPosition(axis, at));
      expect([from, new Date(shown).toDateString()]).toEqual([from, new Date(at).toDateString()]);
    }
  });

  it('turns to a day and shows that day, and ends with today', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: YEARS_MS }), fc.nat(), (age, drag) => {
        const axis = toDayAxis(NOW - age, NOW);
        const position = drag % (axis.last + 1);
        expect(toPosition(axis, toEndOfDay(axis, position))).toBe(position);
        expect(toPosition(axis, toNoon(axis, position))).toBe(position);
        expect(toPosition(axis, NOW)).toBe(Math.min(axis.last, Math.floor((NOW - axis.firstMs) / 86_400_000)));
        expect(toPosition(axis, NOW - age - 86_400_000)).toBe(0);
      }),
    );
  });
});
