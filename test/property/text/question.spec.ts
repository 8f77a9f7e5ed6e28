import fc from 'fast-check';
import { bm25 } from '#domain/text/bm25.js';
import { CONCEPT_WEIGHT, KIND_WEIGHT, buildQueryTerms } from '#domain/text/query-terms.js';
import { stem } from '#domain/text/stem.js';
import { concepts, findConcepts, expandTokens } from '#domain/text/thesaurus.js';
import { tokenizeQuestion } from '#domain/text/words.js';

const phrase = fc
  .constantFrom(...concepts)
  .chain(([name, phrases]) => fc.record({ name: fc.constant(name), text: fc.constantFrom(...phrases) }));
const question = fc.array(
  fc.oneof(
    phrase.map(each => each.text),
    fc.lorem({ maxCount: 4 }),
  ),
  {
    minLength: 1,
    maxLength: 5,
  },
);
const weightsOf = (text: string, missing?: ReadonlySet<string>) =>
  new Map(buildQueryTerms(text, missing).map(({ token, weight }) => [token, weight]));

describe('a question', () => {
  it('weighs what was typed more than what was guessed', () => {
    const terms = buildQueryTerms('Who wants to cancel, cancel, cancel?');
    expect(terms).toContainEqual({ token: 'cancel', weight: 1 });
    expect(terms).toContainEqual({ token: '~churn', weight: 0.4 });
    expect(new Set(terms.map(({ token }) => token)).size).toBe(terms.length);
  });

  it('never loses a document by being expanded, and never ranks it lower in absolute terms', () => {
    fc.assert(
      fc.property(fc.array(phrase, { minLength: 1, maxLength: 8 }), phrase, (notes, { text }) => {
        const documents = notes.map(note => expandTokens(note.text));
        const terms = buildQueryTerms(text);
        const plain = bm25(
          terms.filter(({ weight }) => weight === 1),
          documents,
        );
        for (const [i, score] of bm25(terms, documents).entries()) expect(score).toBeGreaterThanOrEqual(plain[i]!);
      }),
    );
  });

  it('asks for every word that was typed, and for no concept that it does not mean', () => {
    fc.assert(
      fc.property(question, parts => {
        const text = parts.join(' ');
        const weights = weightsOf(text);
        for (const token of tokenizeQuestion(text)) expect(weights.get(token)).toBeGreaterThan(0);
        for (const token of weights.keys()) {
          expect([...tokenizeQuestion(text), ...findConcepts(text)]).toContain(token);
        }
      }),
    );
  });

  it('means the longest phrase, and a phrase that is all of it', () => {
    expect(findConcepts('win back')).toContain('~closed-won');
    expect([...weightsOf('win back').keys()]).not.toContain('~closed-won');
    fc.assert(fc.property(phrase, ({ name, text }) => expect(weightsOf(text).get(`~${name}`)).toBe(CONCEPT_WEIGHT)));
  });

  it('lets a concept stand in for words that no document has, and never counts anything less for it', () => {
    expect(weightsOf('too expensive').get('~expensive')).toBe(CONCEPT_WEIGHT);
    expect(weightsOf('too expensive', new Set(['expensiv'])).get('~expensive')).toBe(1);
    fc.assert(
      fc.property(question, fc.infiniteStream(fc.boolean()), (parts, isMissing) => {
        const text = parts.join(' ');
        const missing = new Set(tokenizeQuestion(text).filter(() => isMissing.next().value === true));
        const weights = weightsOf(text, missing);
        expect([...weights.keys()]).toEqual([...weightsOf(text).keys()]);
        for (const [token, weight] of weightsOf(text)) expect(weights.get(token)).toBeGreaterThanOrEqual(weight);
      }),
    );
  });

  it.each(['Which customers cancel?', 'What customers cancel?', 'How many customers cancel?'])(
    'thinks little of the kind of thing in "%s"',
    text => expect(weightsOf(text).get(stem('customer'))).toBe(KIND_WEIGHT),
  );

  it.each(['Why do customers cancel?', 'Which customers told other customers?', 'customers'])(
    'takes customers for what is asked in "%s"',
    text => expect(weightsOf(text).get(stem('customer'))).toBe(1),
  );
});
