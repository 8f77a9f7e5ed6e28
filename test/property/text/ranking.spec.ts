import fc from 'fast-check';
import { bm25, idf, neighbourBoost, saturation, literalTerms } from '#domain/text/bm25.js';
import { jaccard, mmr } from '#domain/text/mmr.js';

const token = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const documents = fc.array(fc.array(token, { maxLength: 12 }), { minLength: 1, maxLength: 12 });
const queries = fc.array(token, { maxLength: 4 });

describe('bm25', () => {
  it('is zero exactly where nothing is shared', () => {
    fc.assert(
      fc.property(queries, documents, (query, docs) => {
        for (const [i, score] of bm25(literalTerms(query), docs).entries()) {
          expect(score > 0).toBe(docs[i]!.some(word => query.includes(word)));
        }
      }),
    );
  });

  it('does not know the order of words or of documents', () => {
    fc.assert(
      fc.property(queries, documents, (query, docs) => {
        const scores = bm25(literalTerms(query), docs);
        const turned = bm25(literalTerms(query.toReversed()), docs.map(doc => doc.toReversed()).toReversed());
        for (const [i, score] of scores.entries()) expect(turned.at(-1 - i)).toBeCloseTo(score, 10);
      }),
    );
  });

  it('never falls when a term is added to the question', () => {
    fc.assert(
      fc.property(queries, token, documents, (query, more, docs) => {
        const before = bm25(literalTerms(query), docs);
        const after = bm25(literalTerms([...query, more]), docs);
        for (const [i, score] of before.entries()) expect(after[i]!).toBeGreaterThanOrEqual(score - 1e-12);
      }),
    );
  });

  it('thinks more of rare words, of repeats, and of short documents', () => {
    const [rare, common] = bm25(literalTerms(['a', 'b']), [['a', 'x'], ['b', 'x'], ['b', 'y'], ['z']]);
    expect(rare!).toBeGreaterThan(common!);
    expect(saturation(2, 1)).toBeGreaterThan(saturation(1, 1));
    expect(saturation(1, 1)).toBe(1);
    expect(saturation(1, 0.5)).toBeGreaterThan(saturation(1, 2));
    expect(idf(10, 10)).toBeGreaterThan(0);
  });

  it('scores nothing for no documents', () => expect(bm25(literalTerms(['a']), [])).toEqual([]));

  it('lifts what stands beside a match', () => {
    expect(neighbourBoost([0, 1, 0, 0])).toEqual([0.35, 1, 0.35, 0]);
  });
});

describe('maximal marginal relevance', () => {
  const candidates = fc.array(
    fc.record({ score: fc.nat(50).map(n => n / 10), tokens: fc.array(token, { maxLength: 5 }) }),
    { maxLength: 10 },
  );

  it('chooses each at most once, and as many as are wanted', () => {
    fc.assert(
      fc.property(candidates, fc.nat(12), (all, count) => {
        const chosen = mmr(all, count);
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(chosen).toHaveLength(Math.min(count, all.length));
      }),
    );
  });

  it('of fewer is the beginning of that of more', () => {
    fc.assert(
      fc.property(candidates, fc.nat(10), (all, count) => {
        expect(mmr(all).slice(0, count)).toEqual(mmr(all, count));
      }),
    );
  });

  it('begins with the best, and with lambda 1 is the order of scores', () => {
    fc.assert(
      fc.property(candidates, all => {
        const order = [...all.keys()].toSorted((i, j) => all[j]!.score - all[i]!.score || i - j);
        expect(mmr(all, all.length, 1).map(i => all[i]!.score)).toEqual(order.map(i => all[i]!.score));
        if (all.length > 0) expect(all[mmr(all)[0]!]!.score).toBe(all[order[0]!]!.score);
      }),
    );
  });

  it('prefers something new to a copy of what it has', () => {
    const copy = { score: 0.9, tokens: ['a', 'b'] };
    expect(mmr([{ score: 1, tokens: ['a', 'b'] }, copy, { score: 0.8, tokens: ['c'] }])).toEqual([0, 2, 1]);
  });

  it('measures likeness between 0 and 1, alike from both sides', () => {
    fc.assert(
      fc.property(fc.uniqueArray(token), fc.uniqueArray(token), (one, other) => {
        const likeness = jaccard(new Set(one), new Set(other));
        expect(likeness).toBe(jaccard(new Set(other), new Set(one)));
        expect(likeness).toBeGreaterThanOrEqual(0);
        expect(likeness).toBeLessThanOrEqual(1);
        if (one.length > 0) expect(jaccard(new Set(one), new Set(one))).toBe(1);
      }),
    );
  });
});
