import fc from 'fast-check';
import pg from 'pg';
import { parseTimestamptz } from '#kernel/db/pool.js';
import { parseInstant, toIso } from '#domain/time/instant.js';
import { freshPool } from '../../support/database/pool.js';

let drop: () => Promise<void>;
let pool: pg.Pool;

beforeAll(async () => void ({ pool, drop } = await freshPool(1)));
afterAll(() => drop());

describe('timestamps of the database', () => {
  const instants = fc.array(fc.integer({ min: parseInstant('1950-01-01')!, max: parseInstant('2200-12-31')! }));

  it.each(['UTC', 'Asia/Kolkata', 'America/New_York'])(
    'are read as they were written, by a server in %s',
    async zone => {
      await pool.query(`SELECT set_config('timezone', $1, false)`, [zone]);
      const law = fc.asyncProperty(instants, async written => {
        const given = `SELECT at FROM unnest($1::timestamptz[]) WITH ORDINALITY AS list (at, place) ORDER BY place`;
        const { rows } = await pool.query<{ at: number }>(given, [written.map(toIso)]);
        expect(rows.map(({ at }) => at)).toEqual(written);
      });
      await fc.assert(law, {
        numRuns: 50,
        examples: [[['1999-12-31T23:59:59.999999', '2000-02-29'].map(at => parseInstant(at)!)]],
      });
    },
  );

  it.each(['infinity', '-infinity', '0044-03-15 00:00:00+00 BC', '10000-01-01 00:00:00+00'])('refuses %s', text => {
    expect(() => parseTimestamptz(text)).toThrow(`not a timestamp: ${text}`);
  });
});
