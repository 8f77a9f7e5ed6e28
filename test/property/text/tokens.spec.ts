import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { stem } from '#domain/text/stem.js';
import { tokenize, tokenizeQuestion, tokenizeWithSpans, normalizeWord, splitWords } from '#domain/text/words.js';

const { groups } = JSON.parse(readFileSync(new URL('../../vectors/text/stems.json', import.meta.url), 'utf8')) as {
  groups: string[][];
};
const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.lorem());

describe('a stem', () => {
  it.each(groups.map(group => [group[0]!, group] as const))('is one for all forms of %s', (_, group) => {
    expect(new Set(group.map(stem)).size).toBe(1);
  });

  it('keeps different words apart', () => {
    expect(new Set(groups.map(([word]) => stem(word!))).size).toBe(groups.length);
  });

  it('is never empty and never longer than the word', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), word => {
        const root = stem(word);
        return root.length > 0 && root.length <= word.length + 1;
      }),
    );
  });
});

describe('words and tokens', () => {
  it('stand in the text where they say they do, in order', () => {
    fc.assert(
      fc.property(texts, text => {
        let last = 0;
        for (const { start, end } of splitWords(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = start;
        }
      }),
    );
  });

  it('of two texts one after the other are those of the one and then those of the other', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(tokenize(`${one}\n${other}`)).toEqual([...tokenize(one), ...tokenize(other)]);
      }),
    );
  });

  it('do not depend on case, accents or the form of apostrophes', () => {
    expect(tokenize('Le CAFÉ de l’Opéra')).toEqual(tokenize("le cafe de l'opera"));
    expect(tokenize('Müller’s Straße')).toEqual(tokenize('MULLERS STRASSE'));
    fc.assert(fc.property(texts, text => expect(normalizeWord(normalizeWord(text))).toBe(normalizeWord(text))));
  });

  it.each([
    ['Łódź', 'lodz'],
    ['Æther', 'aether'],
    ['Straße', 'strasse'],
    ['İSTANBUL', 'istanbul'],
    ['ﬁnance', 'finance'],
    ['cannot', 'not'],
    ['ΛΌΓΟΣ', 'λογοσ'],
  ])('%s is folded to %s', (word, folded) => {
    expect(splitWords(word).map(({ text }) => text)).toEqual([folded]);
  });

  it('take a number with its groups as one word', () => {
    expect(tokenize('$50,000 for 2,5 years and v1.2')).toEqual(['50000', '2,5', 'year', 'v1', '2']);
  });

  it('come in pairs where a script has no blanks', () => {
    expect(splitWords('価格が高い').map(word => word.text)).toEqual(['価格', '格か', 'か高', '高い']);
  });

  it('leave out stop words, but a question of nothing else keeps them', () => {
    expect(tokenize('Who is it that they are?')).toEqual([]);
    expect(tokenizeQuestion('Who is it?')).toEqual(['who', 'is', 'it']);
    expect(tokenizeQuestion('Who is the buyer?')).toEqual(['buyer']);
    expect(tokenizeQuestion('?!')).toEqual([]);
  });

  it('are well formed and of bounded length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        for (const { text: token } of tokenizeWithSpans(text)) {
          expect(token.length).toBeLessThanOrEqual(41);
          expect(token.length).toBeGreaterThan(0);
          expect(token.includes('\u0000')).toBe(false);
        }
      }),
    );
  });
});
