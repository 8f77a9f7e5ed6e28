import fc from 'fast-check';
import { type ContextCandidate, CONTEXT_KINDS } from '#domain/context/context-candidates.js';
import { composeContext, countUtf8Bytes, truncateBytes, estimateTokens } from '#domain/context/compose-context.js';
import { rankContext, computeContextScore } from '#domain/context/rank-context.js';

const share = fc.integer({ min: 0, max: 100 }).map(n => n / 100);
const words = fc.array(fc.constantFrom('budget', 'renewal', 'price', 'Grüße', '日本', 'demo', '🚀'), { maxLength: 12 });
const candidate = (refId: string): fc.Arbitrary<ContextCandidate> =>
  fc.record({
    kind: fc.constantFrom(...CONTEXT_KINDS),
    refId: fc.constant(refId),
    label: fc.constantFrom('title | 0.91 fresh corroborated', 'x'),
    text: words.map(all => all.join(' ')),
    freshness: share,
    confidence: share,
    past: fc.boolean(),
    boosted: fc.boolean(),
  });
const candidates = fc
  .integer({ min: 0, max: 40 })
  .chain(n => fc.tuple(...Array.from({ length: n }, (_, i) => candidate(`ref-${i}`))));
const pins = fc
  .integer({ min: 0, max: 4 })
  .chain(n =>
    fc.tuple(...Array.from({ length: n }, (_, i) => candidate(`pin-${i}`).map(one => ({ ...one, text: 'true' })))),
  );
const parts = fc.record({
  identity: fc.string({ maxLength: 400, unit: 'grapheme' }),
  pinned: pins,
  candidates,
  task: fc.option(fc.constantFrom('what does the renewal cost', 'demo', 'zebra'), { nil: undefined }),
  budget: fc.integer({ min: 200, max: 1500 }),
});

describe('composed context', () => {
  it('never has more tokens than its budget', () => {
    fc.assert(
      fc.property(parts, given => {
        const { text, tokenCount } = composeContext(given);
        expect(tokenCount).toBeLessThanOrEqual(given.budget);
        expect(tokenCount).toBe(estimateTokens(text));
        expect(tokenCount).toBe(Math.ceil(Buffer.byteLength(text) / 3.6));
      }),
    );
  });

  it('tells what is pinned first and all of it, whatever the budget', () => {
    fc.assert(
      fc.property(parts, given => {
        const ids = composeContext(given).items.map(({ ref_id }) => ref_id);
        expect(ids.slice(0, given.pinned.length)).toEqual(given.pinned.map(({ refId }) => refId));
      }),
    );
  });

  it('is the same for the same parts in any order', () => {
    fc.assert(
      fc.property(
        parts.chain(given =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray(given.candidates, { minLength: given.candidates.length })),
        ),
        ([given, shuffled]) => {
          expect(composeContext({ ...given, candidates: shuffled })).toEqual(composeContext(given));
        },
      ),
    );
  });

  it('tells everything once, or counts it as left out', () => {
    fc.assert(
      fc.property(parts, given => {
        const { items, truncated } = composeContext(given);
        expect(new Set(items.map(({ ref_id }) => ref_id)).size).toBe(items.length);
        expect(items.length + truncated).toBe(given.pinned.length + given.candidates.length);
      }),
    );
  });

  it('one item is one line', () => {
    fc.assert(
      fc.property(parts, given => {
        const { items, text } = composeContext({ ...given, identity: 'Ada' });
        expect(text.split('\n')).toHaveLength(items.length + 1);
      }),
    );
  });
});

describe('the ranking', () => {
  it('puts what is past below the same thing that still holds', () => {
    fc.assert(
      fc.property(candidate('a'), fc.option(fc.constant('renewal price'), { nil: undefined }), (one, task) => {
        const ranked = rankContext(
          [
            { ...one, past: true },
            { ...one, refId: 'b', past: false },
          ],
          task,
        );
        expect(ranked.map(({ candidate }) => candidate.past)).toEqual([false, true]);
      }),
    );
  });

  it('never prefers the older or the less sure of two that say the same', () => {
    fc.assert(
      fc.property(candidate('a'), share, share, (one, freshness, confidence) => {
        const better = {
          ...one,
          freshness: Math.max(one.freshness, freshness),
          confidence: Math.max(one.confidence, confidence),
        };
        expect(computeContextScore(better, 0.5)).toBeGreaterThanOrEqual(computeContextScore(one, 0.5));
      }),
    );
  });

  it('puts what the task is about first, and equals in the order of their ids', () => {
    const plain = { kind: 'claim', label: '', freshness: 1, confidence: 0.9, past: false, boosted: false } as const;
    const all = ['z: budget', 'b: demo', 'a: demo'].map(text => ({ ...plain, refId: text[0]!, text: text.slice(3) }));
    expect(rankContext(all, 'what is the budget').map(({ candidate }) => candidate.refId)).toEqual(['z', 'a', 'b']);
    expect(rankContext(all, undefined).map(({ candidate }) => candidate.refId)).toEqual(['a', 'b', 'z']);
  });

  it('finds by what a word means in sales', () => {
    const plain = { kind: 'note', label: '', freshness: 1, confidence: 0.9, past: false, boosted: false } as const;
    const all = ['They may cancel in spring', 'We met in Berlin'].map((text, i) => ({ ...plain, refId: `${i}`, text }));
    const [first, second] = rankContext(all, 'churn');
    expect(first!.score).toBeGreaterThan(second!.score);
    expect(first!.candidate.refId).toBe('0');
  });
});

it('bytes are counted as UTF-8 has them, and cut between characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(60), (text, most) => {
      const whole = text.toWellFormed();
      expect(countUtf8Bytes(whole)).toBe(Buffer.byteLength(whole));
      const cut = truncateBytes(whole, most);
      expect(whole.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
      expect(countUtf8Bytes(cut)).toBeLessThanOrEqual(most);
    }),
  );
});
