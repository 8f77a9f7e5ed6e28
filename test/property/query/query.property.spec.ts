import fc from 'fast-check';
import { selectEvidence, rankRows } from '#domain/query/rank-rows.js';
import { expandTokens } from '#domain/text/thesaurus.js';
import { filterCitedBullets, type SummarySource, summarize, tokenizeSummary } from '#domain/query/summarize.js';

const text = fc
  .array(fc.constantFrom('price', 'renewal', 'demo', 'lunch', 'budget'), { maxLength: 6 })
  .map(all => all.join(' '));
const rows = fc.array(text, { maxLength: 20 });

const tokenize = (row: string) => ({ text: row, tokens: expandTokens(row) });

describe('rows ranked by a question', () => {
  it('are those that share something with it, the nearest first', () => {
    fc.assert(
      fc.property(rows, text.filter(Boolean), (all, question) => {
        const found = rankRows(question, all.map(tokenize));
        const similarities = found.map(({ similarity }) => similarity);
        expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
        for (const { row, similarity } of found) {
          expect(similarity).toBeGreaterThan(0);
          expect(similarity).toBeLessThanOrEqual(1);
          expect(row.tokens).not.toEqual([]);
        }
      }),
    );
  });

  it('are also those that speak of what stands beside it: who objects to a price finds it expensive', () => {
    const all = ['Too expensive, wants a discount', 'Pricing objections', 'Likes the demo'];
    const found = rankRows('pricing objections', all.map(tokenize));
    expect(found.map(({ row }) => row.text)).toEqual([all[1], all[0]]);
  });

  it('evidence is chosen among them, each at most once', () => {
    fc.assert(
      fc.property(rows, fc.option(text, { nil: undefined }), fc.nat(8), (all, question, count) => {
        const chosen = selectEvidence(question, all.map(tokenize), count);
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(chosen.length).toBeLessThanOrEqual(Math.min(count, all.length));
      }),
    );
  });
});

describe('summaries', () => {
  const seen: fc.Arbitrary<SummarySource> = fc
    .record({
      id: fc.uuid(),
      entity: fc.constantFrom('Ada', 'Bob'),
      property: fc.constantFrom('stage', 'title', 'interaction.email_sent'),
      value: fc.oneof(fc.constant(null), text, fc.integer(), fc.record({ summary: text })),
      day: fc.constant('2026-11-20'),
      summary: fc.option(text.filter(Boolean), { nil: null }),
    })
    .map(source => ({ ...source, tokens: tokenizeSummary(source) }));

  it('rest on observations that were there, every sentence of them', () => {
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 30 }), fc.option(text, { nil: undefined }), (all, question) => {
        const { bullets, text: received } = summarize({
          question,
          counts: [],
          previous: undefined,
          sources: all,
          changes: [],
        });
        const known = new Set(all.map(({ id }) => id));
        for (const { observation_ids } of bullets) {
          expect(observation_ids.length).toBeGreaterThan(0);
          expect(observation_ids.every(id => known.has(id))).toBe(true);
        }
        expect(received.split('\n')).toHaveLength(Math.max(1, bullets.length));
      }),
    );
  });

  it('take nothing from a model that does not cite what it was given, whatever it says', () => {
    fc.assert(
      fc.property(fc.anything(), fc.array(fc.string(), { maxLength: 5 }), (raw, ids) => {
        for (const given of [raw, { bullets: raw }, { bullets: [raw] }]) {
          const known = new Set(ids);
          for (const { observation_ids } of filterCitedBullets(given, known)) {
            expect(observation_ids.length).toBeGreaterThan(0);
            expect(observation_ids.every(id => known.has(id))).toBe(true);
          }
        }
      }),
    );
    expect(filterCitedBullets({ bullets: [{ text: ' yes ', observation_ids: ['a', 'a'] }] }, new Set(['a']))).toEqual([
      { text: 'yes', observation_ids: ['a'] },
    ]);
  });
});
