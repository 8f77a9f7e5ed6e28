import fc from 'fast-check';
import type { Claim } from '#domain/claims/claim.js';
import { comparisonKey, comparisonTypeOf } from '#domain/comparison/comparison-key.js';
import { defaultRules as rules, ruleOf } from '#domain/claims/rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { toClaim } from '#domain/claims/present-claim.js';
import type { Statement } from '#domain/claims/property-state.js';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';
import { anyLog, LATER, logs, ORIGINS, PROPERTIES, shuffled, statement } from './claims-logs.js';
import { modelOf } from './claims-model.js';

const RUNS = { numRuns: 500 };
const GRADES = ['fresh', 'aging', 'suspect', 'expired'];
const SINGLE = PROPERTIES.filter(property => !['technologies', 'do_not_contact', 'email_status'].includes(property));

function claimOf(property: string, log: readonly Statement[], asOf: Instant = LATER): Claim {
  const claim = toClaim(rules, property, foldAll(rules, property, log, asOf), asOf, { history: true });
  if (!claim) throw new Error('nothing was stated');
  return claim;
}

/** A log of many values may consist of empty lists and ends, of which there is no claim. */
function maybeClaimOf(property: string, log: readonly Statement[], asOf: Instant = LATER): Claim | undefined {
  return toClaim(rules, property, foldAll(rules, property, log, asOf), asOf, { history: true });
}

describe('a fold', () => {
  it('does not depend on the order in which the log is read', () => {
    const inTwoOrders = anyLog.chain(({ property, log }) => shuffled(log).map(other => ({ property, log, other })));
    fc.assert(
      fc.property(inTwoOrders, ({ property, log, other }) => {
        expect(foldAll(rules, property, other, LATER)).toStrictEqual(foldAll(rules, property, log, LATER));
      }),
      { numRuns: 1000 },
    );
  });

  it('agrees with the plain model of the specification', () => {
    const single = fc.constantFrom(...SINGLE).chain(property => logs(property).map(log => ({ property, log })));
    fc.assert(
      fc.property(single, ({ property, log }) => {
        const model = modelOf(rules, property, log);
        const claim = claimOf(property, log);
        expect(comparisonKey(comparisonTypeOf(property), claim.value)).toBe(model.key);
        expect(claim.valid_from).toBe(toIso(model.from));
        expect(Math.abs(claim.confidence - model.confidence)).toBeLessThanOrEqual(0.00006);
        const agreed = model.corroborated ? 'corroborated' : model.class;
        expect(claim.epistemic_class).toBe(claim.value === null ? 'ended' : model.contested ? 'contested' : agreed);
        expect(
          [...(claim.history ?? [])]
            .reverse()
            .map(({ value, ...rest }) => [comparisonKey(comparisonTypeOf(property), value), rest]),
        ).toEqual(
          model.history
            .slice(-32)
            .map(({ key, from, to, endedBy }) => [
              key,
              { valid_from: toIso(from), valid_to: toIso(to), ended_by: endedBy },
            ]),
        );
      }),
      { numRuns: 1500 },
    );
  });

  it('accounts for every observation and removes none', () => {
    const split = anyLog.chain(({ property, log }) => fc.nat(log.length).map(cut => ({ property, log, cut })));
    fc.assert(
      fc.property(split, ({ property, log, cut }) => {
        const now = log[Math.max(0, cut - 1)]?.observedAt ?? 0;
        const state = foldAll(rules, property, log, now);
        expect(state.count).toBe(log.filter(stated => stated.observedAt <= now).length);
        expect(state.count + state.pending).toBe(log.length);
        const before = maybeClaimOf(property, log.slice(0, cut))?.observation_count ?? 0;
        expect(maybeClaimOf(property, log)?.observation_count ?? log.length).toBeGreaterThanOrEqual(before);
      }),
      RUNS,
    );
  });

  it('lets history tile the time before the current value', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SINGLE).chain(property => logs(property).map(log => ({ property, log }))),
        each => {
          const claim = claimOf(each.property, each.log);
          const starts = [claim, ...(claim.history ?? [])].map(period => period.valid_from);
          expect((claim.history ?? []).map(period => period.valid_to)).toEqual(starts.slice(0, -1));
          expect(starts.toSorted().reverse()).toEqual(starts);
          expect(new Set(starts).size).toBe(starts.length);
        },
      ),
      RUNS,
    );
  });
});

describe('a claim', () => {
  it('is not changed by hearing the same again', () => {
    const doubled = anyLog.chain(({ property, log }) =>
      fc.subarray(log, { minLength: 1 }).map(twice => ({ property, log, twice })),
    );
    fc.assert(
      fc.property(doubled, ({ property, log, twice }) => {
        const again = twice.map((message, index) => ({ ...message, id: `again-${index}` }));
        const shown = (claim: Claim | undefined) =>
          claim && [claim.value, claim.confidence, claim.epistemic_class, claim.freshness_score, claim.valid_from];
        expect(shown(maybeClaimOf(property, [...log, ...again]))).toEqual(shown(maybeClaimOf(property, log)));
      }),
      RUNS,
    );
  });

  it('keeps its spelling when one of two equally strong sources repeats itself', () => {
    const origin = { property: 'title', method: 'llm', observedAt: 1_445_156_922_305_185, event: false };
    const first = { ...origin, id: '0', value: 'CRO', source: 'agent', digest: '8b' };
    const log = [first, { ...origin, id: '6', value: 'cro ', source: 'call:2', digest: '0f' }];
    const value = maybeClaimOf('title', log)?.value;
    expect(maybeClaimOf('title', [...log, { ...first, id: 'again-0' }])?.value).toBe(value);
  });

  it('has a confidence in 0..0.99 and weights in 0..1', () => {
    fc.assert(
      fc.property(anyLog, ({ property, log }) => {
        for (const claim of claimsIn(maybeClaimOf(property, log))) {
          expect(claim.confidence).toBeGreaterThan(0);
          expect(claim.confidence).toBeLessThanOrEqual(0.99);
          for (const { weight } of [...claim.sources, ...claim.opposing]) {
            expect(weight).toBeGreaterThanOrEqual(0);
            expect(weight).toBeLessThanOrEqual(1);
          }
        }
      }),
      RUNS,
    );
  });

  it('only gets staler as time passes, and no less sure', () => {
    fc.assert(
      fc.property(anyLog, fc.nat(2000 * DAY_US), fc.nat(2000 * DAY_US), ({ property, log }, wait, more) => {
        const state = foldAll(rules, property, log, LATER);
        const end = log.at(-1)?.observedAt ?? 0;
        const [sooner, later] = [end + wait, end + wait + more].map(asOf => toClaim(rules, property, state, asOf));
        if (!sooner || !later) return;
        expect(later.freshness_score).toBeLessThanOrEqual(sooner.freshness_score);
        expect(GRADES.indexOf(later.freshness)).toBeGreaterThanOrEqual(GRADES.indexOf(sooner.freshness));
        expect(later.confidence).toBe(sooner.confidence);
        expect(later.decays_at).toBe(sooner.decays_at);
      }),
      RUNS,
    );
  });

  it('leaves fresh when it says so', () => {
    fc.assert(
      fc.property(anyLog, ({ property, log }) => {
        const state = foldAll(rules, property, log, LATER);
        const claim = maybeClaimOf(property, log);
        if (!claim?.refresh_due_at || !claim.decays_at) return;
        const { halfLife } = ruleOf(rules, property);
        const supported = claim.decays_at;
        const due = Date.parse(supported) * 1000 - halfLife * DAY_US + -Math.log2(0.9) * halfLife * DAY_US;
        expect(toClaim(rules, property, state, due - DAY_US / 100)?.freshness).toBe('fresh');
        expect(toClaim(rules, property, state, due + DAY_US / 100)?.freshness).toBe('aging');
        expect(Math.abs(Date.parse(claim.refresh_due_at) * 1000 - due)).toBeLessThan(2000);
      }),
      RUNS,
    );
  });

  it('is ended by a null that carries weight, and shows what was ended', () => {
    fc.assert(
      fc.property(anyLog, ({ property, log }) => {
        const end = (log.at(-1)?.observedAt ?? 0) + 1;
        const before = maybeClaimOf(property, log);
        const claim = maybeClaimOf(property, [...log, statement(property, null, 'user/correction', end, 'end')]);
        if (!before || !claim) return;
        expect([claim.status, claim.epistemic_class]).toEqual(['ended', 'ended']);
        expect(claim.value).toEqual(property === 'technologies' ? [] : null);
        if (property === 'technologies' || before.status === 'ended') return;
        expect(claim.sources.map(source => source.observation_id)).toContain('end');
        if (claim.valid_from === before.valid_from) return;
        expect(claim.history?.[0]).toMatchObject({
          value: before.value,
          valid_from: before.valid_from,
          valid_to: claim.valid_from,
        });
      }),
      RUNS,
    );
  });

  it('is never contested by our own guess', () => {
    const guessed = fc.record({
      log: logs('company', ORIGINS),
      guesses: fc.array(fc.nat(8000 * DAY_US), { minLength: 1, maxLength: 5 }),
    });
    fc.assert(
      fc.property(guessed, ({ log, guesses }) => {
        const first = log[0]?.observedAt ?? 0;
        const guess = guesses.map((wait, index) =>
          statement(
            'company',
            `guess-${index % 2}.io`,
            'system:email_domain/derived',
            first - DAY_US + wait,
            `g${index}`,
          ),
        );
        const [plain, guessing] = [claimOf('company', log), claimOf('company', [...log, ...guess])];
        const { observation_count: _said, history: _before, ...rest } = guessing;
        const { observation_count: _fewer, history: _past, ...expected } = plain;
        expect(rest).toEqual(expected);
      }),
      RUNS,
    );
  });
});

function claimsIn(claim: Claim | undefined): Claim[] {
  return claim ? [claim, ...(claim.values ?? [])] : [];
}
