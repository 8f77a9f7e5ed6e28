import fc from 'fast-check';
import { extractSnippet } from '#domain/text/snippet.js';
import { tokenize } from '#domain/text/words.js';

const word = fc.constantFrom('alpha', 'beta', 'budget', 'gamma', 'renewal', 'x', 'Müller', '🙂', 'a.b@c.com');
const texts = fc.oneof(
  fc.array(word, { maxLength: 300 }).map(words => words.join(' ')),
  fc.string({ unit: 'grapheme', maxLength: 1500 }),
  fc.string({ unit: 'grapheme', minLength: 300, maxLength: 900 }).map(text => text.replaceAll(/\s/g, 'x')),
);
const bare = (snippet: string) => snippet.replace(/^…/, '').replace(/…$/, '');
const weights = (...words: string[]) => new Map(words.flatMap(tokenize).map(token => [token, 1]));

describe('a snippet', () => {
  it('is a part of its text, at most 400 characters, whole characters only', () => {
    fc.assert(
      fc.property(texts, text => {
        const snippet = extractSnippet(text, weights('budget', 'renewal'));
        expect(snippet.length).toBeLessThanOrEqual(400);
        expect(text.includes(bare(snippet)) || text.includes(snippet)).toBe(true);
        expect(snippet.isWellFormed()).toBe(true);
        if (text.trim() !== '') expect(bare(snippet)).not.toBe('');
      }),
      { numRuns: 300 },
    );
  });

  it('is the whole of a short text', () => {
    expect(extractSnippet('  Budget is approved.\n', weights('budget'))).toBe('Budget is approved.');
  });

  it('shows the match, wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), fc.array(word, { maxLength: 200 }), (before, after) => {
        const text = [...before, 'procurement', ...after].join(' ');
        expect(extractSnippet(text, weights('procurement'))).toContain('procurement');
      }),
    );
  });

  it('prefers the place where more of the question comes together', () => {
    const filler = Array.from({ length: 90 }, () => 'filler').join(' ');
    const text = `budget ${filler} renewal ${filler} the budget of the renewal ${filler} budget budget budget`;
    expect(extractSnippet(text, weights('budget', 'renewal'))).toContain('the budget of the renewal');
  });

  it('cuts between words', () => {
    const text = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ');
    const snippet = extractSnippet(text, weights('word100'));
    const words = text.split(' ');
    for (const shown of bare(snippet).split(' ')) expect(words).toContain(shown);
    expect(snippet).toMatch(/^…word\d+ .* word\d+…$/);
  });

  it('is the beginning when nothing matches', () => {
    const text = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ');
    expect(extractSnippet(text, new Map())).toMatch(/^word0 word1 .*…$/);
  });
});
