import fc from 'fast-check';
import type { Claim } from '#domain/claims/claim.js';
import { defaultRules } from '#domain/claims/rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { isSafe } from '#domain/claims/safe-to-use.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { describeVerification, recommend, isClaimMatch, VERDICTS, decideVerdict } from '#domain/verify/verdict.js';
import { DAY_US } from '#domain/time/instant.js';

const NOW = Date.UTC(2026, 10, 20) * 1000;

const statement = fc.record({
  id: fc.uuid(),
  property: fc.constant('title'),
  value: fc.constantFrom('VP', 'CRO', 'vp ', null),
  source: fc.constantFrom('user', 'crm', 'csv', 'agent', 'enrichment'),
  method: fc.constantFrom('api', 'manual', 'correction', 'llm'),
  observedAt: fc.integer({ min: 0, max: 1500 }).map(days => NOW - days * DAY_US),
  digest: fc.stringMatching(/^[0-9a-f]{8}$/),
});

const history = fc.array(statement, { maxLength: 12 });
const rule = defaultRules.properties['title']!;
const lookAt = (statements: readonly object[], property = 'title') => {
  const state = foldAll(defaultRules, property, statements as never, NOW);
  return { state, claim: toClaim(defaultRules, property, state, NOW) };
};

it('every history gets one verdict, and only a current one is confirmed or safe', () => {
  fc.assert(
    fc.property(history, fc.option(fc.constantFrom('VP', 'CRO'), { nil: undefined }), (statements, believed) => {
      const { claim } = lookAt(statements);
      const matches = believed === undefined ? undefined : isClaimMatch(rule, claim, believed);
      const verdict = decideVerdict(claim, matches);
      expect(VERDICTS).toContain(verdict);
      expect(verdict === 'unknown').toBe(claim === undefined);
      expect(verdict === 'ended').toBe(claim?.status === 'ended');
      if (verdict === 'changed') expect(matches).toBe(false);
      if (verdict === 'confirmed') expect(['fresh', 'aging']).toContain(claim!.freshness);
      if (claim && isSafe(claim)) expect(['confirmed', 'changed']).toContain(verdict);
      expect(describeVerification(verdict, 'title', claim, false)).toMatch(/\.$/);
    }),
  );
});

it('guesses alone are never safe, however many agree, until one source states the same', () => {
  const guess = statement.map(each => ({ ...each, value: 'VP', method: 'llm', observedAt: NOW - DAY_US }));
  fc.assert(
    fc.property(fc.uniqueArray(guess, { minLength: 2, selector: ({ source }) => source }), fc.uuid(), (guesses, id) => {
      const { claim } = lookAt(guesses);
      expect({ class: claim!.epistemic_class, isSafe: isSafe(claim!) }).toEqual({ class: 'inferred', isSafe: false });
      expect(claim!.confidence).toBeGreaterThan(0.7);
      const direct = { ...guesses[0]!, id, source: 'form', method: 'api', observedAt: NOW };
      expect(isSafe(lookAt([...guesses, direct]).claim!)).toBe(true);
    }),
  );
});

it('a claim matches its own value', () => {
  fc.assert(
    fc.property(history, statements => {
      const { claim } = lookAt(statements);
      expect(isClaimMatch(rule, claim, (claim as Claim | undefined)?.value ?? null)).toBe(true);
    }),
  );
});

it('ways to refresh are listed best first, and the best promises at least half where nothing contradicts the fact', () => {
  fc.assert(
    fc.property(history, statements => {
      const { state, claim } = lookAt(statements);
      const ways = recommend(defaultRules, 'title', state, NOW);
      const promised = ways.map(way => way.expected_confidence);
      expect(promised).toEqual(promised.toSorted((a, b) => b - a));
      for (const each of promised) expect(each).toBeGreaterThan(0);
      if (!claim?.opposing.length) expect(promised[0]).toBeGreaterThanOrEqual(0.5);
    }),
  );
});

it('an address can be verified, and an unknown fact is as sure as who tells it', () => {
  const ways = recommend(defaultRules, 'email_status', undefined, NOW);
  expect(ways.map(({ how, expected_confidence: sure }) => [how, sure])).toEqual([
    ['ask', 0.95],
    ['verify', 0.9],
    ['research', 0.75],
    ['enrich', 0.7],
  ]);
});
