import fc from 'fast-check';
import { editDistance, spellingSimilarity } from '#domain/text/spelling.js';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });

describe('slips between words', () => {
  it('are none exactly between equal words, as many from both sides, and no more than letters', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        const slips = editDistance(one, other);
        expect(slips === 0).toBe(one === other);
        expect(slips).toBe(editDistance(other, one));
        expect(slips).toBeLessThanOrEqual(Math.max(one.length, other.length));
        expect(slips).toBeGreaterThanOrEqual(Math.abs(one.length - other.length));
      }),
    );
  });

  it.each([
    ['renewel', 'renewal', 1],
    ['whsikey', 'whiskey', 1],
    ['procurment', 'procurement', 1],
    ['pricingg', 'pricing', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('from %s to %s are %i', (one, other, slips) => expect(editDistance(one, other)).toBe(slips));

  it('make a word likely while they are few', () => {
    expect(spellingSimilarity('price', 'price')).toBe(1);
    expect(spellingSimilarity('pricee', 'price')).toBeGreaterThan(0.8);
    expect(spellingSimilarity('house', 'mouth')).toBe(0);
    expect(spellingSimilarity('implemntaton', 'implementation')).toBeGreaterThan(0.8);
  });
});
