import fc from 'fast-check';
import { isLargeResponse, serializeYielding } from '#kernel/http/response.hook.js';

const MANY = 250;

describe('serializeYielding', () => {
  it('writes what JSON.stringify writes', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constant(undefined));
    const long = fc.oneof(
      fc.array(value, { minLength: MANY, maxLength: MANY + 20 }),
      fc.dictionary(fc.string(), value, { minKeys: MANY, maxKeys: MANY + 20 }).map(members => ({ ...members })),
    );
    const payloads = fc.dictionary(fc.string(), fc.oneof(value, long), { maxKeys: 5 }).map(members => ({ ...members }));
    await fc.assert(
      fc.asyncProperty(payloads, async payload => {
        expect((await serializeYielding(payload)).bytes.toString('utf8')).toBe(JSON.stringify(payload));
      }),
    );
  });
});

it.each([
  [{ results: Array.from({ length: MANY }) }, true],
  [{ claims: Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`fact_${i}`, i])) }, true],
  [{ results: [1, 2, 3], claims: { a: 1 } }, false],
  [Array.from({ length: MANY }), false],
  ['text', false],
  [null, false],
])('isLargeResponse knows what is long', (payload, isLarge) => {
  expect(isLargeResponse(payload)).toBe(isLarge);
});
