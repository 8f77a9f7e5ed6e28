import fc from 'fast-check';
import type pg from 'pg';
import { encodeTimestamptzArray, encodeUuidArray } from '#kernel/db/binary-array.js';
import { newId } from '#kernel/ids.js';
import { freshPool } from '../../support/database/pool.js';

let drop: () => Promise<void>;
let pool: pg.Pool;

beforeAll(async () => void ({ pool, drop } = await freshPool(1)));
afterAll(() => drop());

/** The elements of the list as the server shows them, in their order. */
async function elements(type: 'uuid' | 'timestamptz', list: Buffer): Promise<unknown[]> {
  const sql = `SELECT element FROM unnest($1::${type}[]) WITH ORDINALITY AS list (element, place) ORDER BY place`;
  return (await pool.query<{ element: unknown }>(sql, [list])).rows.map(({ element }) => element);
}

const orNothing = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.array(fc.oneof({ weight: 4, arbitrary }, fc.constantFrom(null, undefined)), { maxLength: 200 });
const nothingIsNull = <T>(list: readonly (T | null | undefined)[]) => list.map(item => item ?? null);

describe('a list of ids', () => {
  it('arrives as it was sent, with NULL for nothing', () =>
    fc.assert(
      fc.asyncProperty(orNothing(fc.uuid()), async ids =>
        expect(await elements('uuid', encodeUuidArray(ids))).toEqual(nothingIsNull(ids)),
      ),
    ));

  it('says in its head whether one of them is nothing', () => {
    const flag = (list: Buffer) => list.readInt32BE(4);
    expect([flag(encodeUuidArray([newId()])), flag(encodeUuidArray([newId(), null]))]).toEqual([0, 1]);
  });

  it('is read without regard to case', async () => {
    const id = newId();
    expect(await elements('uuid', encodeUuidArray([id.toUpperCase()]))).toEqual([id]);
  });

  it('takes nothing but ids', () => {
    const id = '01a209a3-9e67-7566-b1eb-8012a6269ccd';
    const anyOther = fc.record({ place: fc.nat(35), char: fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }) });
    fc.assert(
      fc.property(anyOther, ({ place, char }) => {
        const other = id.slice(0, place) + char + id.slice(place + 1);
        fc.pre(!/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(other));
        expect(() => encodeUuidArray([id, other])).toThrow(TypeError);
      }),
      { numRuns: 2_000 },
    );
    for (const other of ['', id.slice(1), `${id}0`, id.replaceAll('-', '')])
      expect(() => encodeUuidArray([other])).toThrow(TypeError);
  });
});

describe('a list of instants', () => {
  it('arrives as it was sent to the microsecond, with NULL for nothing', () => {
    const instant = fc.integer({ min: Date.UTC(1900, 0) * 1000, max: Date.UTC(2200, 0) * 1000 });
    const edges = fc.constantFrom(0, -1, 946_684_800_000_000, 946_684_799_999_999, 946_684_800_000_000 - 2 ** 32);
    return fc.assert(
      fc.asyncProperty(orNothing(fc.oneof(instant, edges)), async instants =>
        expect(await elements('timestamptz', encodeTimestamptzArray(instants))).toEqual(nothingIsNull(instants)),
      ),
    );
  });
});
