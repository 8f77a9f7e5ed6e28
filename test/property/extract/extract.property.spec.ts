import fc from 'fast-check';
import { extract } from '#domain/extract/extract.js';
import { splitSentences } from '#domain/extract/sentences.js';
import { reading } from '../../support/graph/reading.js';
import { vectorsOf } from '../../support/vectors.js';

const sentences = vectorsOf<{ text: string }>('extract/sentences').map(({ text }) => text);

const vocabulary =
  'Ada is now VP of Sales at Acme left not budget $50k 5.1.1 joined as promoted to unsubscribe me until May ? . Gongo ' +
  'ada@acme.com +49 Q3 > has signed the contract maybe no longer with out office';
const words = fc.constantFrom(...vocabulary.split(' '), '\n', '\n\n');
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(words, { maxLength: 30 }).map(list => list.join(' ')),
  fc.array(fc.constantFrom(...sentences), { maxLength: 6 }).map(list => list.join(' ')),
);
const anyContext = fc.record({
  isAuthor: fc.boolean(),
  subject: fc.constantFrom('person' as const, 'company' as const),
});

it('never throws, and every quote stands in the text where it says', () => {
  fc.assert(
    fc.property(anyText, anyContext, (text, context) => {
      for (const { quote, start, end } of extract(text, reading(context))) {
        expect(quote).not.toBe('');
        expect(text.slice(start, end)).toBe(quote);
      }
    }),
    { numRuns: 500 },
  );
});

it.each(['It is not true that', 'Nobody said that', 'I doubt that', 'She never told us that', 'They deny that'])(
  '%s: what is denied is not asserted',
  denial => {
    for (const sentence of sentences.filter(text => text !== '' && !text.includes('\n'))) {
      const denied = `${denial} ${sentence[0]!.toLowerCase()}${sentence.slice(1)}`;
      const sure = extract(denied, reading({ isAuthor: true })).filter(({ reviewReason }) => !reviewReason);
      const later = sure.filter(({ start }) => start < denied.search(/[.!?](?=\s|$)/));
      expect({ denied, later }).toEqual({ denied, later: [] });
    }
  },
);

it('a text gives the same when it is repeated, and more text never takes a statement back', () => {
  fc.assert(
    fc.property(fc.constantFrom(...sentences), sentence => {
      const once = extract(sentence, reading());
      const twice = extract(`${sentence}\n\n${sentence}`, reading());
      expect(twice.map(({ property, value }) => [property, value])).toEqual(
        once.map(({ property, value }) => [property, value]),
      );
    }),
  );
});

it('takes time in the length of the text, not more: no sentence is longer than rules can bear', () => {
  const long = 'Ada Lovelace is now and a a a a a a budget 1 1 1 1 $ '.repeat(1_000);
  expect(extract(long, reading()).length).toBeLessThan(10);
  const letters = fc.constantFrom('A', 'ü', '𐐷', '1', '- ', 'a ', '. ', '\n', 'Ada ');
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 40 }), fc.nat(400), (parts, times) => {
      expectWhole(parts.join('').repeat(times));
    }),
    {
      examples: [
        [['ü', 'A', '\n'], 334],
        [['A'], 1_001],
        [['𐐷'], 501],
        [['A', '𐐷'], 334],
      ],
    },
  );
});

/** No sentence is longer than rules can bear, each stands in the text, and no word of the text is lost. */
function expectWhole(text: string): void {
  const read = splitSentences(text);
  for (const { plain, start } of read) {
    expect(plain.length).toBeLessThanOrEqual(1_000);
    expect(plain.isWellFormed()).toBe(true);
    expect(text.slice(start, start + plain.length).replaceAll('\n', ' ')).toBe(plain);
  }
  const words = (some: string) => some.match(/[\p{L}\p{N}]{2,}/gu)?.join('') ?? '';
  expect(read.map(({ plain }) => words(plain)).join('')).toBe(words(text));
}

it('reads on in what has no end', () => {
  const read = extract(`${'and so on '.repeat(300)}she is now CRO at Acme`, reading());
  expect(read.map(({ property, value }) => [property, value])).toEqual([
    ['title', 'CRO'],
    ['company', 'Acme'],
  ]);
});
