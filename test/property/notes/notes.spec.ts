import fc from 'fast-check';
import {
  buildIndexTerms,
  cutCharacterSpans,
  listSpellableWords,
  MAX_PASSAGE_LENGTH,
  findPassageSpans,
  splitPassages,
  toCharacterSpans,
} from '#domain/notes/passages.js';
import { truncateAt, deriveNoteTitle } from '#domain/notes/note.js';
import { computeLexicalSimilarity } from '#domain/notes/similarity.js';
import { tokenize } from '#domain/text/words.js';

const sentence = fc.lorem({ maxCount: 12 }).map(text => `${text}.`);
const turn = fc.tuple(
  fc.constantFrom('Ada', 'Grace H.', '[00:12] Bob'),
  fc.array(sentence, { minLength: 1, maxLength: 6 }),
);
const transcript = fc
  .array(turn, { minLength: 2, maxLength: 30 })
  .map(turns => turns.map(([who, message]) => `${who}: ${message.join(' ')}`).join('\n'));
const prose = fc
  .array(fc.array(sentence, { maxLength: 20 }), { maxLength: 12 })
  .map(parts => parts.map(part => part.join(' ')).join('\n\n'));
const anything = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 3000 }),
  fc.string({ unit: 'grapheme' }).map(text => text.repeat(300)),
);
const texts = fc.oneof(transcript, prose, anything);
const squeezed = (text: string) => text.replaceAll(/\s/g, '');

describe('the passages of a note', () => {
  it('are parts of it, in order, none empty and none too long', () => {
    fc.assert(
      fc.property(texts, text => {
        const passages = splitPassages(text);
        expect(passages.every(passage => text.includes(passage))).toBe(true);
        for (const passage of passages) {
          expect(passage.length).toBeLessThanOrEqual(MAX_PASSAGE_LENGTH);
          expect(passage).toBe(passage.trim());
          expect(passage).not.toBe('');
          expect(passage.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it('are all of it but white space', () => {
    fc.assert(
      fc.property(texts, text => {
        const places = findPassageSpans(text);
        let end = 0;
        let left = '';
        for (const [i, place] of places.entries()) {
          expect(place.start).toBeGreaterThan(places[i - 1]?.start ?? -1);
          if (place.start > end) left += text.slice(end, place.start);
          end = Math.max(end, place.end);
        }
        expect(squeezed(left + text.slice(end))).toBe('');
      }),
    );
  });

  it('are cut out of it by their position in characters', () => {
    const emojis = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '.', 'é', '𝒜', '👩‍🚀', '\ud800'), maxLength: 3000 });
    fc.assert(
      fc.property(fc.oneof(texts, emojis), text => {
        const spans = toCharacterSpans(text, findPassageSpans(text));
        expect(cutCharacterSpans(text, spans)).toEqual(splitPassages(text));
      }),
    );
  });

  it('is one for a short note, and none for a blank one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), text => {
        expect(splitPassages(text)).toEqual(text.trim() === '' ? [] : [text.trim()]);
      }),
    );
  });

  it('end where a speaker ends, and begin with the turn before', () => {
    const line = (who: string) => `${who}: ${'yes '.repeat(90).trim()}.`;
    const turns = ['Ada', 'Bob', 'Cleo', 'Dan'].map(line);
    expect(splitPassages(turns.join('\n'))).toEqual([
      `${turns[0]}\n${turns[1]}`,
      `${turns[1]}\n${turns[2]}`,
      `${turns[2]}\n${turns[3]}`,
    ]);
  });

  it('cut a long turn between sentences', () => {
    const text = Array.from({ length: 60 }, (_, i) => `This is sentence number ${i} of the turn.`).join(' ');
    for (const passage of splitPassages(text)) expect(passage).toMatch(/^This .*\.$/s);
  });
});

describe('what a passage is found by', () => {
  it('is its words, those of the title, month and year, and concepts', () => {
    const { counts, length } = buildIndexTerms('They cancel. They cancel!', { title: 'Call', date: '2026-03-04' });
    expect(counts.get('cancel')).toBe(2);
    for (const term of [...tokenize('call march 2026'), '~churn']) expect(counts.has(term)).toBe(true);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(length);
  });

  it('offers for typing errors what is spelt with letters only, each once, sorted', () => {
    expect(listSpellableWords('Zebra budget BUDGET the 2026 a1 price')).toEqual(['budget', 'price', 'zebra']);
  });
});

describe('a title', () => {
  it('is the one given, or how the content begins', () => {
    expect(deriveNoteTitle('  A \n title ', 'x')).toBe('A title');
    expect(deriveNoteTitle(undefined, '\n## Notes\nmore')).toBe('Notes');
    expect(deriveNoteTitle(' ', '---')).toBe('---');
  });

  it('is cut between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 2, max: 30 }), (text, longest) => {
        const cut = truncateAt(text, longest);
        expect(cut.length).toBeLessThanOrEqual(longest);
        expect(cut.isWellFormed()).toBe(true);
        if (text.length <= longest) expect(cut).toBe(text);
      }),
    );
  });
});

describe('similarity', () => {
  const score = fc.double({ min: 0, max: 1000, noNaN: true });

  it('stays between 0 and 1 with four decimals and rises with the score', () => {
    fc.assert(
      fc.property(score, score, fc.double({ min: 0, max: 100, noNaN: true }), (one, other, ideal) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map(s =>
          computeLexicalSimilarity(s, ideal),
        ) as [number, number];
        expect(low).toBeLessThanOrEqual(high);
        for (const value of [low, high]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
          expect(value).toBe(Number(value.toFixed(4)));
        }
      }),
    );
  });

  it(`is a half for half of the question's words, and three quarters for all of them`, () => {
    expect([computeLexicalSimilarity(0, 1), computeLexicalSimilarity(0.5, 1), computeLexicalSimilarity(1, 1)]).toEqual([
      0, 0.5, 0.75,
    ]);
  });
});
