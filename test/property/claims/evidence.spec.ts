import fc from 'fast-check';
import { explainClaim, toEndedPeriods, toSeries, weighStatements } from '#domain/claims/evidence.js';
import { foldAll } from '#domain/claims/fold.js';
import { foldSteps } from '#domain/claims/fold-steps.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { defaultRules as rules } from '#domain/claims/rules.js';
import type { Statement } from '#domain/claims/property-state.js';
import { anyLog, at, LATER, shuffled, statement } from './claims-logs.js';

const claimOf = (property: string, log: readonly Statement[]) =>
  toClaim(rules, property, foldAll(rules, property, log, LATER), LATER, { history: true });

describe('the evidence of a claim', () => {
  it('has every statement once, and gives weight to exactly those that the claim names', () => {
    let opposing = 0;
    fc.assert(
      fc.property(
        anyLog.chain(({ property, log }) => fc.record({ property: fc.constant(property), log: shuffled(log) })),
        ({ property, log }) => {
          const claim = claimOf(property, log);
          if (!claim) return;
          const weighed = weighStatements(rules, claim, log);
          expect(weighed.map(each => each.statement.id).toSorted()).toEqual(log.map(({ id }) => id).toSorted());
          const idsOf = (role: string) => weighed.filter(each => each.role === role).map(({ statement: { id } }) => id);
          expect(idsOf('supports')).toEqual(expect.arrayContaining(claim.sources.map(each => each.observation_id)));
          const named = new Set(claim.sources.map(each => each.observation_id));
          const against = claim.opposing.map(each => each.observation_id).filter(id => !named.has(id));
          expect(idsOf('opposes').toSorted()).toEqual(against.toSorted());
          opposing += against.length;
          const weights = new Map(
            [...claim.opposing, ...claim.sources].map(each => [each.observation_id, each.weight]),
          );
          for (const each of weighed) expect(each.weight).toBe(weights.get(each.statement.id) ?? 0);
          const times = weighed.map(each => each.statement.observedAt);
          expect(times).toEqual(times.toSorted((one, other) => other - one));
        },
      ),
      { numRuns: 300 },
    );
    expect(opposing).toBeGreaterThan(100);
  });

  it('ends its series at the confidence and freshness of the claim', () => {
    fc.assert(
      fc.property(anyLog, ({ property, log }) => {
        const claim = claimOf(property, log);
        const series = toSeries(rules, property, log, LATER);
        if (!claim) return void expect(series).toEqual([]);
        // A statement of nothing, such as an empty list, has no point.
        expect(series.length).toBeLessThanOrEqual(2 * log.length);
        const end = series.at(-1)!;
        expect([end.at, end.confidence]).toEqual([LATER, claim.confidence]);
        expect(end.freshnessScore).toBe(claim.freshness_score);
        const times = series.map(point => point.at);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
      }),
      { numRuns: 200 },
    );
  });

  it('steps through a log as folds of its beginnings do, and folds what is beyond the bound', () => {
    fc.assert(
      fc.property(anyLog, fc.integer({ min: 1, max: 8 }), ({ property, log }, count) => {
        const steps = foldSteps(rules, property, log, LATER, count);
        expect(steps).toHaveLength(Math.min(count, log.length));
        expect(steps.at(-1)?.state ?? null).toEqual(log.length > 0 ? foldAll(rules, property, log, LATER) : null);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the reason of a claim', () => {
  const said = (value: string | null, date: string, source: string, method = 'api') =>
    statement('title', value, `${source}/${method}`, at(date));

  it('names the source of a value that nobody opposes', () => {
    const claim = claimOf('title', [said('VP Sales', '2026-11-01', 'agent')])!;
    expect(explainClaim(claim)).toEqual({
      code: 'unopposed',
      text: '“VP Sales” holds: agent stated it on 2026-11-01. No source states otherwise.',
      parts: {
        value: 'VP Sales',
        sources: 1,
        source: 'agent',
        observedAt: '2026-11-01T00:00:00.000000Z',
        objection: null,
        confidence: 0.75,
      },
    });
  });

  it('counts sources that agree, and says when a fact has ended', () => {
    const agreed = claimOf('title', [said('CRO', '2026-10-01', 'agent'), said('cro ', '2026-11-01', 'linkedin')])!;
    expect(explainClaim(agreed)).toMatchObject({
      code: 'agreed',
      text: expect.stringContaining('2 sources state it, last linkedin on 2026-11-01.'),
    });
    const ended = claimOf('title', [said('CRO', '2026-10-01', 'agent'), said(null, '2026-11-01', 'agent')])!;
    expect(explainClaim(ended)).toMatchObject({
      code: 'ended',
      text: 'This has ended: agent stated so on 2026-11-01. No source states otherwise.',
    });
  });

  it('names the strongest objection', () => {
    const log = [said('CRO', '2026-10-01', 'user', 'correction'), said('VP', '2026-11-01', 'csv')];
    const reason = explainClaim(claimOf('title', log)!);
    expect(reason.code).toBe('opposed');
    expect(reason.text).toBe(
      '“CRO” holds: user stated it on 2026-10-01. csv stated “VP” on 2026-11-01 and has not changed it; confidence is 0.72.',
    );
    expect(reason.parts.objection).toMatchObject({ source: 'csv', value: 'VP' });
  });

  it('keeps what a returning value was once supported by, and who ended the value between', () => {
    const log = [
      said('CFO', '2026-08-01', 'linkedin'),
      said('COO', '2026-10-01', 'crm:a'),
      said('CFO', '2026-11-01', 'agent'),
    ];
    const claim = claimOf('title', log)!;
    const roles = weighStatements(rules, claim, log).map(({ statement: { source }, role }) => [source, role]);
    expect(roles).toEqual([
      ['agent', 'supports'],
      ['crm:a', 'opposes'],
      ['linkedin', 'supports'],
    ]);
    expect(toEndedPeriods(claim, log).map(({ value, ended_by }) => [value, ended_by.source])).toEqual([
      ['COO', 'agent'],
      ['CFO', 'crm:a'],
    ]);
  });

  it('says of a statement without weight why it has none', () => {
    const log = [
      said('CFO', '2026-08-01', 'linkedin'),
      said('COO', '2026-09-01', 'linkedin'),
      said('COO', '2026-10-01', 'linkedin'),
      said('CEO', '2026-11-01', 'agent'),
      said('CEO', '2026-11-05', 'agent'),
    ];
    const weighed = weighStatements(rules, claimOf('title', log)!, log);
    expect(
      weighed.filter(each => each.weight === 0).map(({ statement: { value }, role, why }) => [value, role, why]),
    ).toEqual([
      ['CEO', 'supports', 'Another statement of agent counts, so this one adds nothing.'],
      ['COO', 'superseded', 'linkedin repeated it later.'],
      ['CFO', 'superseded', 'linkedin stated another value later.'],
    ]);
  });
});
