import fc from 'fast-check';
import { MAX_NUMBER_TEXT, parseNumber } from '#domain/score/match-rule.js';

describe('the number of a text', () => {
  it.each<[string, number | undefined]>([
    ['1,200', 1_200],
    ['5k', 5_000],
    ['51-200', 125.5],
    [`40 ${'x'.repeat(1_000)}`, 40],
    ['1'.repeat(MAX_NUMBER_TEXT + 1), undefined],
    [`7${' '.repeat(MAX_NUMBER_TEXT)}-9`, undefined],
    [`0.${'1'.repeat(MAX_NUMBER_TEXT)}`, undefined],
    ['none', undefined],
  ])('of "%s"', (text, number) => expect(parseNumber(text)).toBe(number));

  it('does not change with what follows after a word, however long it is', () => {
    fc.assert(
      fc.property(fc.nat(), fc.string({ maxLength: 2_000 }), (number, tail) => {
        expect(parseNumber(`${number} people ${tail}`)).toBe(number);
      }),
    );
  });
});
