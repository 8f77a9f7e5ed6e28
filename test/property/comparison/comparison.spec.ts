import fc from 'fast-check';
import { keysAgree, saysMore, comparisonKey, type ComparisonType } from '#domain/comparison/comparison-key.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { vectorsOf } from '../../support/vectors.js';

interface Vector {
  readonly type: ComparisonType;
  readonly one: JsonValue;
  readonly other: JsonValue;
  readonly relation: 'same' | 'says_more' | 'different';
}

const vectors = vectorsOf<Vector>('comparison/relations');
const types = [...new Set(vectors.map(({ type }) => type))];
const valueOf = fc.oneof(
  fc.constantFrom(...vectors.flatMap(({ one, other }) => [one, other])),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.integer(),
  fc.constant(null),
);
const typeAndKeys = fc
  .tuple(fc.constantFrom(...types), valueOf, valueOf)
  .map(([type, one, other]) => [type, comparisonKey(type, one), comparisonKey(type, other)] as const);

describe('comparisonKey', () => {
  it.each(
    vectors.map(vector => ({ ...vector, title: `${JSON.stringify(vector.one)} / ${JSON.stringify(vector.other)}` })),
  )('compares as $type $title: $relation', ({ type, one, other, relation }) => {
    const [first, second] = [comparisonKey(type, one), comparisonKey(type, other)];
    const found = first === second ? 'same' : saysMore(first, second) ? 'says_more' : 'different';
    expect({ found, first, second }).toEqual({ found: relation, first, second });
  });

  it('gives a value and its spelling in other case and spacing one key', () => {
    fc.assert(
      fc.property(fc.constantFrom(...vectors), ({ type, one }) => {
        if (typeof one !== 'string' || type === 'phone' || type === 'linkedin') return;
        expect(comparisonKey(type, ` ${one.toUpperCase()} `)).toBe(comparisonKey(type, one));
      }),
    );
  });

  it('gives null a key of its own', () => {
    for (const type of types) expect(comparisonKey(type, null)).toBe('null');
    fc.assert(
      fc.property(fc.constantFrom(...types), valueOf, (type, value) => {
        expect(comparisonKey(type, value) === 'null').toBe(value === null);
      }),
    );
  });
});

describe('keysAgree', () => {
  it('is reflexive and symmetric', () => {
    fc.assert(
      fc.property(typeAndKeys, ([, one, other]) => {
        expect(keysAgree(one, one)).toBe(true);
        expect(keysAgree(one, other)).toBe(keysAgree(other, one));
      }),
    );
  });

  it('agrees with one order: of two keys at most one says more, and more than more is more', () => {
    fc.assert(
      fc.property(typeAndKeys, valueOf, ([type, one, other], third) => {
        expect(saysMore(one, other) && saysMore(other, one)).toBe(false);
        const last = comparisonKey(type, third);
        if (saysMore(one, other) && saysMore(other, last)) expect(saysMore(one, last)).toBe(true);
      }),
    );
  });

  it('never lets null agree with a value', () => {
    fc.assert(
      fc.property(typeAndKeys, ([, one]) => {
        expect(keysAgree(one, 'null')).toBe(one === 'null');
      }),
    );
  });
});
