import fc from 'fast-check';
import pg from 'pg';
import { toArrayLiteral, encodeJsonTexts, encodeJsonArray, jsonArraySql } from '#kernel/db/array-literal.js';
import { freshDatabase, type FreshDatabase } from '../../support/database/database.js';

let database: FreshDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function read(sql: string, ...values: unknown[]): Promise<unknown> {
  const { rows } = await client.query<{ is: unknown }>(`SELECT ${sql} AS is`, values);
  return rows[0]!.is;
}

/** What a text column can hold: no NUL, no half of a surrogate pair; quotes, backslashes and braces are frequent. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ',', ' ', "'", '\n', '\x1e', 'NULL', 'a', 'é', '😀') }),
  fc.string({ unit: 'grapheme' }).filter(each => !each.includes('\0')),
);

describe('a list for the database', () => {
  it('arrives as it was sent, whatever its texts hold', async () => {
    const lists = fc.array(fc.option(text), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lists, async list => expect(await read('$1::text[]', toArrayLiteral(list))).toEqual(list)),
    );
  });

  it('holds numbers, truth, bytes and lists', async () => {
    expect(await read('$1::float8[]', toArrayLiteral([1.5, -2, 1e300, null]))).toEqual([1.5, -2, 1e300, null]);
    expect(await read('$1::bool[]', toArrayLiteral([true, false, undefined]))).toEqual([true, false, null]);
    expect(await read('$1::bytea[]', toArrayLiteral([Buffer.from('"\\\0')]))).toEqual([Buffer.from('"\\\0')]);
    expect(await read('$1::int[]', toArrayLiteral([[1, 2], [3, 4]]))).toEqual([[1, 2], [3, 4]]); // oxfmt-ignore
    expect(await read('$1::text[]', toArrayLiteral([]))).toEqual([]);
  });

  it('does not guess how an object is meant', () => {
    expect(() => toArrayLiteral([{}])).toThrow(TypeError);
  });
});

describe('a list of JSON for the database', () => {
  it('arrives as it was sent, beside another list, with NULL for nothing', async () => {
    const values = fc.array(fc.oneof(fc.jsonValue(), text, fc.constant(undefined)), { minLength: 1, maxLength: 6 });
    const storable = values.filter(list => !JSON.stringify(list).includes('\\u0000'));
    const sql = `(SELECT json_agg(value ORDER BY n) FROM unnest($1::int[], ${jsonArraySql(2)}::json[]) AS row (n, value))`;
    await fc.assert(
      fc.asyncProperty(storable, async list => {
        const places = toArrayLiteral(list.map((_, i) => i));
        expect(await read(sql, places, encodeJsonArray(list))).toEqual(JSON.parse(JSON.stringify(list)));
      }),
    );
  });

  it('encodes long JSON texts in slices as it does short ones', async () => {
    const list = ['é"\\', null, '😀'.repeat(40_000), 'x'.repeat(90_000), ''];
    const texts = list.map(each => (each === null ? '' : JSON.stringify(each)));
    const encoded = await encodeJsonTexts(texts);
    expect(Buffer.isBuffer(encoded)).toBe(true);
    expect(await read(`to_json(${jsonArraySql(1)}::json[])`, encoded)).toEqual(list);
    expect(await encodeJsonTexts(['1', '', '"a"'])).toBe(encodeJsonArray([1, null, 'a']));
  });
});
