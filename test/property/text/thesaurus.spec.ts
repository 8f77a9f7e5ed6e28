import fc from 'fast-check';
import { concepts, findConcepts, expandTokens } from '#domain/text/thesaurus.js';
import { tokenize } from '#domain/text/words.js';

const all = [...concepts];
const concept = fc.constantFrom(...all);
const phrase = concept.chain(([name, phrases]) =>
  fc.record({ name: fc.constant(name), text: fc.constantFrom(...phrases) }),
);

describe('the thesaurus', () => {
  it('has several hundred concepts, each named once, each of two phrases at least', () => {
    expect(concepts.size).toBeGreaterThanOrEqual(300);
    for (const [name, phrases] of all) {
      expect(name).toMatch(/^[a-z0-9-]+$/);
      expect(phrases.length).toBeGreaterThan(1);
      for (const text of phrases) expect(text).toMatch(/^[a-z0-9&]+(?: [a-z0-9&]+)*$/);
    }
  });

  it('names no concept twice and repeats no phrase within one', () => {
    for (const [, phrases] of all) expect(new Set(phrases).size).toBe(phrases.length);
  });

  it('finds a concept by each of its phrases, wherever that stands', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 5 }), phrase, fc.lorem({ maxCount: 5 }), (before, { name, text }, after) => {
        expect(findConcepts(`${before} ${text} ${after}`)).toContain(`~${name}`);
        expect(findConcepts(`${before.toUpperCase()} ${text.toUpperCase()}, ${after}`)).toContain(`~${name}`);
      }),
    );
  });

  it('finds each once, and only concepts that it has', () => {
    fc.assert(
      fc.property(fc.array(phrase, { maxLength: 6 }), parts => {
        const found = findConcepts(parts.map(({ text }) => text).join(' '));
        expect(new Set(found).size).toBe(found.length);
        for (const token of found) expect(concepts.has(token.slice(1))).toBe(true);
      }),
    );
  });

  it('leads different words to one concept', () => {
    expect(findConcepts('They want to walk away')).toContain('~churn');
    expect(findConcepts('Who is about to cancel?')).toContain('~churn');
    expect(findConcepts('Maria holds the purse strings')).toContain('~decision-maker');
  });

  it('reads denials and particles that are part of a phrase', () => {
    expect(findConcepts('there is no money left')).toContain('~budget-cut');
    expect(findConcepts('there is money')).not.toContain('~budget-cut');
    expect(findConcepts("they aren't convinced")).toContain('~blocker');
  });

  it('adds concepts behind the words of a text and takes none away', () => {
    fc.assert(
      fc.property(fc.lorem(), phrase, (filler, { text }) => {
        const tokens = tokenize(`${filler} ${text}`);
        expect(expandTokens(`${filler} ${text}`).slice(0, tokens.length)).toEqual(tokens);
      }),
    );
  });
});
