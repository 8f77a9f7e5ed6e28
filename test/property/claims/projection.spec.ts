import fc from 'fast-check';
import { toComparableMembers, toComparableNumber, toComparableText } from '#domain/comparison/canonical-key.js';
import { defaultRules, ruleOf } from '#domain/claims/rules.js';
import { foldAll, projectClaim } from '#domain/claims/fold.js';
import { computeFreshness } from '#domain/claims/confidence.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { emptyState } from '#domain/claims/property-state.js';
import { DAY_US } from '#domain/time/instant.js';
import { anyLog, at, LATER } from './claims-logs.js';

it('the stored projection equals the claim at any time', () => {
  const when = fc.integer({ min: 0, max: 20_000 }).map(days => at('2030-01-01') + days * DAY_US);
  fc.assert(
    fc.property(anyLog, when, ({ property, log }, asOf) => {
      const state = foldAll(defaultRules, property, log, LATER);
      const shown = toClaim(defaultRules, property, state, asOf);
      const stored = projectClaim(defaultRules, property, state);
      // Of many values none of which was ever stated there is no claim.
      if (!shown || !stored) return expect([shown, stored]).toEqual([undefined, undefined]);
      const { halfLife } = ruleOf(defaultRules, property);
      expect({
        value: stored.value ?? (shown.value_type === 'array' ? [] : null),
        confidence: stored.confidence,
        epistemic_class: stored.epistemicClass,
        freshness: computeFreshness(defaultRules.freshness, halfLife, stored.supportedAt, asOf).freshness,
        ended: stored.value === null,
      }).toEqual({
        value: shown.value,
        confidence: shown.confidence,
        epistemic_class: shown.epistemic_class,
        freshness: shown.freshness,
        ended: shown.status === 'ended',
      });
      const { newest } = state.tracks[0]!;
      expect(stored.topObservationId).toBe(newest.id);
      if (stored.value === null) expect(stored.sources).toEqual([]);
      else expect(stored.sources).toEqual([...new Set(shown.sources.map(({ source }) => source))].toSorted());
      if (shown.value_type !== 'array') expect(stored.supportedAt).toBe(newest.t);
    }),
  );
});

it('a claim of which nothing counts yet has no projection', () => {
  expect(projectClaim(defaultRules, 'title', emptyState())).toBeUndefined();
  expect(projectClaim(defaultRules, 'technologies', emptyState())).toBeUndefined();
});

it('values are compared without case, width and spacing, numbers by value', () => {
  expect(toComparableText('  VP   Sales ')).toBe('vp sales');
  expect(toComparableText('ＣＲＯ')).toBe('cro');
  expect(toComparableText(42)).toBe('42');
  expect(toComparableText(true)).toBe('true');
  expect(toComparableText({ a: 1 })).toBeUndefined();
  expect(toComparableText('+49 (30) 12', 'phone')).toBe('+493012');
  expect(toComparableMembers(['Go', ' elm', { a: 1 }])).toBe('\ngo\nelm\n');
  expect(toComparableMembers(['one\ntwo'])).toBe('\none two\n');
  expect(['12', '-1.5', 'x', '1e3', '', '12 345'].map(text => toComparableNumber(text))).toEqual([
    12,
    -1.5,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
