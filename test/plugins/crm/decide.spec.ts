import fc from 'fast-check';
import { decide, type FieldSituation } from '../../../plugins/crm/src/push/decide.ts';

const SOURCE = 'crm:hubspot';
const values = fc.constantFrom('CFO', 'COO', 'CEO');
const times = fc.date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true });

const situations: fc.Arbitrary<FieldSituation> = fc
  .record({
    value: fc.option(values),
    sources: fc.subarray([SOURCE, 'user', 'csv:1'], { minLength: 1 }),
    confidence: fc.double({ min: 0.5, max: 1, noNaN: true }),
    isSafe: fc.boolean(),
    observedAt: times,
    updatedAt: times,
    theirs: fc.option(values),
    lastRead: fc.option(values),
    isRead: fc.boolean(),
    wins: fc.constantFrom('claims', 'newest', 'blanks', 'crm', 'review'),
    verdict: fc.option(fc.constantFrom('write', 'keep')),
  })
  .map(({ value, sources, confidence, isSafe, observedAt, updatedAt, theirs, lastRead, isRead, wins, verdict }) => ({
    claim: {
      value,
      confidence,
      freshness: 'fresh',
      epistemic_class: 'asserted',
      source: sources[0]!,
      sources,
      observed_at: observedAt.toISOString(),
      safe_to_use: isSafe && value !== null,
    },
    ours: value,
    theirs,
    agrees: false,
    lastRead: isRead ? lastRead : undefined,
    updatedAt: updatedAt.toISOString(),
    wins,
    minConfidence: 0.7,
    source: SOURCE,
    verdict,
  }));

const hold = (law: (situation: FieldSituation) => void) => fc.assert(fc.property(situations, law), { numRuns: 2_000 });

describe('decide', () => {
  it('writes only what is safe, above the threshold, stated by others, and not what the field has', () => {
    hold(situation => {
      if (decide(situation).action === 'keep') return;
      const { claim, ours, theirs, minConfidence } = situation;
      expect(claim!.safe_to_use && claim!.confidence >= minConfidence).toBe(true);
      expect(claim!.sources.some(source => source !== SOURCE)).toBe(true);
      expect(ours).not.toBeNull();
      expect(ours).not.toBe(theirs);
    });
  });

  it('never overwrites a change in the CRM that no sync has read', () => {
    hold(situation => {
      const { lastRead, theirs, ours, claim } = situation;
      if (lastRead === undefined || lastRead === theirs || ours === theirs || claim!.value === null) return;
      expect(decide(situation)).toEqual({ action: 'keep', reason: 'changed_in_crm' });
    });
  });

  it('fills a blank by every rule but crm, and overwrites a value only by claims and newest', () => {
    hold(situation => {
      const { action } = decide({ ...situation, verdict: null });
      if (action === 'write') expect(situation.wins).not.toBe('crm');
      if (action === 'write' && situation.theirs !== null) expect(['claims', 'newest']).toContain(situation.wins);
      if (action === 'review') expect(situation).toMatchObject({ wins: 'review', theirs: expect.any(String) });
    });
  });

  it('writes the newer of two values by the rule newest', () => {
    hold(situation => {
      const { reason } = decide({ ...situation, wins: 'newest', verdict: null });
      const isNewer = situation.claim!.observed_at > situation.updatedAt;
      if (reason === 'claim_is_newer') expect(isNewer).toBe(true);
      if (reason === 'crm_is_newer') expect(isNewer).toBe(false);
    });
  });

  it('does nothing once the field has the value', () => {
    hold(situation => {
      if (decide(situation).action !== 'write') return;
      const after = { ...situation, theirs: situation.ours, lastRead: situation.ours };
      expect(decide(after)).toEqual({ action: 'keep', reason: 'same_value' });
    });
  });
});
