import fc from 'fast-check';
import { DAY_US, parseInstant, toIso } from '#domain/time/instant.js';

const EARLIEST = Date.UTC(1900, 0, 1) * 1000;
const LATEST = Date.UTC(2201, 0, 1) * 1000 - 1;
const instants = fc.integer({ min: EARLIEST, max: LATEST });

describe('an instant', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000000Z'],
    ['2026-11-20T09:30', '2026-11-20T09:30:00.000000Z'],
    ['2026-11-20T09:30:15', '2026-11-20T09:30:15.000000Z'],
    ['2026-11-20T09:30:15Z', '2026-11-20T09:30:15.000000Z'],
    ['2026-11-20t09:30:15z', '2026-11-20T09:30:15.000000Z'],
    ['2026-11-20 09:30:15+00', '2026-11-20T09:30:15.000000Z'],
    ['2026-11-20T09:30:15.1Z', '2026-11-20T09:30:15.100000Z'],
    ['2026-11-20T09:30:15.123456Z', '2026-11-20T09:30:15.123456Z'],
    ['2026-11-20T09:30:15.123456789Z', '2026-11-20T09:30:15.123456Z'],
    ['2026-11-20T09:30:15.9999999Z', '2026-11-20T09:30:15.999999Z'],
    ['2026-11-20T09:30:15,5Z', '2026-11-20T09:30:15.500000Z'],
    ['2026-11-20T00:30:00+02:00', '2026-11-19T22:30:00.000000Z'],
    ['2026-11-20T00:30:00-0530', '2026-11-20T06:00:00.000000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000000Z'],
    ['1900-01-01', '1900-01-01T00:00:00.000000Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['2200-12-31T23:59:59.999999Z', '2200-12-31T23:59:59.999999Z'],
  ])('is read from %s', (text, iso) => {
    const instant = parseInstant(text);
    expect(instant === undefined ? undefined : toIso(instant)).toBe(iso);
  });

  it.each([
    '',
    'yesterday',
    '20261120',
    '2026-11',
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-04-31',
    '2026-11-20T24:00:00Z',
    '2026-11-20T09:60:00Z',
    '2026-11-20T09:30:60Z',
    '2026-11-20T09Z',
    '2026-11-20Z',
    '2026-11-20T09:30:15.Z',
    '2026-11-20T09:30:15+24:00',
    '2026-11-20T09:30:15+01:60',
    '2026-11-20T09:30:15 +01:00',
    ' 2026-11-20',
    '2026-11-20\n',
    '1899-12-31',
    '2201-01-01',
    '0000-01-01',
    '1900-01-01T00:00:00+01:00',
    '2200-12-31T23:59:59-01:00',
    '+2026-11-20',
    '1763600000',
    '٢٠٢٦-11-20',
  ])('is not read from %j', text => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('is written so that it is read back unchanged, and in the order of time', () => {
    fc.assert(
      fc.property(instants, instants, (one, other) => {
        expect(parseInstant(toIso(one))).toBe(one);
        expect(toIso(one)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        expect(toIso(one) < toIso(other)).toBe(one < other);
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same however the offset is written', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1901-01-01'), max: new Date('2199-01-01'), noInvalidDate: true }),
        fc.integer({ min: -839, max: 839 }),
        (date, minutes) => {
          const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
          const size = Math.abs(minutes);
          const [hh, mm] = [Math.floor(size / 60), size % 60].map(part => String(part).padStart(2, '0'));
          const sign = minutes < 0 ? '-' : '+';
          expect(parseInstant(`${local}${sign}${hh}:${mm}`)).toBe(date.getTime() * 1000);
          expect(parseInstant(`${local}${sign}${hh}${mm}`)).toBe(date.getTime() * 1000);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('counts days of 86 400 seconds', () => {
    expect(parseInstant('2026-11-21')).toBe((parseInstant('2026-11-20') ?? 0) + DAY_US);
  });

  it('is written as a Date writes it, on every day of three centuries', () => {
    const asDate = (instant: number) => new Date(instant / 1000).toISOString().replace('Z', '000Z');
    for (let day = EARLIEST; day < LATEST; day += DAY_US) {
      const instant = day + ((day / DAY_US) % 1440) * 60_000_000;
      if (toIso(instant) !== asDate(instant)) expect(toIso(instant)).toBe(asDate(instant));
    }
  });
});
