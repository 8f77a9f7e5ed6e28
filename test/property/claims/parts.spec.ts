import type { Claim } from '#domain/claims/claim.js';
import { defaultRules } from '#domain/claims/rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { toClaim } from '#domain/claims/present-claim.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { DAY_US } from '#domain/time/instant.js';
import { at, statement } from './claims-logs.js';

const AS_OF = at('2026-11-20');

/** [value, source/method, date]; dates without a year are of 2026. */
type Row = [value: JsonValue, origin: string, date: string];

describe('the parts of a claim', () => {
  it('names who supports it and who does not, with a reason', () => {
    const claim = claimOf([
      ['CRO', 'user/manual', '10-01'],
      ['CEO', 'agent/llm', '11-01'],
    ]);
    expect(claim?.sources).toEqual([
      {
        observation_id: '10-01',
        source: 'user',
        method: 'manual',
        observed_at: '2026-10-01T00:00:00.000000Z',
        r: 0.95,
        weight: 0.9221,
      },
    ]);
    expect(claim?.opposing).toEqual([
      {
        observation_id: '11-01',
        source: 'agent',
        value: 'CEO',
        observed_at: '2026-11-01T00:00:00.000000Z',
        weight: 0.5,
        why: expect.stringMatching(/^agent \(llm\) said so on 2026-11-01, after the current value was last stated; /),
      },
    ]);
    expect(claim).not.toHaveProperty('history');
  });

  it('gives each opponent the reason why it did not prevail', () => {
    const whys = (rows: Row[], property = 'title') => claimOf(rows, property)?.opposing.map(({ why }) => why);
    const replaced: Row[] = [
      ['CRO', 'user/manual', '06-01'],
      ['CEO', 'enrichment/api', '10-01'],
    ];
    expect(whys(replaced)).toEqual([
      'user (manual) said so on 2026-06-01, before the current value began, and has said nothing else since.',
    ]);
    const atOnce: Row[] = [
      ['A', 'csv/import', '10-31'],
      ['B', 'crm/sync', '10-31'],
      ['A', 'csv/import', '11-01'],
      ['B', 'crm/sync', '11-01'],
    ];
    expect(whys(atOnce)).toEqual([
      'csv (import) said so on 2026-11-01; it weighs too little to replace the current value.',
    ]);
    const input: Row[] = [
      [true, 'email/link', '10-01'],
      [false, 'crm/sync', '11-01'],
    ];
    expect(whys(input, 'do_not_contact')).toEqual([
      'crm (sync) said so on 2026-11-01, but only user/correction changes this value once it is set.',
    ]);
  });

  it('says when it leaves fresh and when it expires', () => {
    const claim = claimOf([['VP', 'agent/api', '11-01']]);
    expect(claim?.last_observed_at).toBe(iso('11-01'));
    expect(claim?.decays_at).toBe('2028-10-21T00:00:00.000000Z');
    expect(claim?.refresh_due_at?.slice(0, 10)).toBe('2027-02-18');
    expect(at(claim?.refresh_due_at ?? '') - at('2026-11-01')).toBeCloseTo(-Math.log2(0.9) * 720 * DAY_US, -3);
  });

  it('never ages a name', () => {
    const claim = claimOf([['Ada', 'agent/api', '1999-01-01']], 'name');
    expect(claim).toMatchObject({ freshness: 'fresh', freshness_score: 1, refresh_due_at: null, decays_at: null });
  });

  it('shows the newest supporter, in its spelling unless a stronger one differs only in that', () => {
    const phones: Row[] = [
      ['+1 (555) 010', 'user/manual', '10-01'],
      ['+1555010', 'csv/import', '11-01'],
    ];
    expect(claimOf(phones, 'phone')?.value).toBe('+1555010');
    expect(
      claimOf(
        [
          ['Ada L.', 'csv/import', '10-01'],
          ['ada l.', 'user/manual', '11-01'],
        ],
        'name',
      )?.value,
    ).toBe('ada l.');
    expect(
      claimOf(
        [
          ['Ada L.', 'user/manual', '10-01'],
          ['ada l.', 'csv/import', '11-01'],
        ],
        'name',
      )?.value,
    ).toBe('Ada L.');
  });

  it('counts a source once, by its newest statement where that is as strong', () => {
    const twice = claimOf(
      [
        ['Ada', 'agent/api', '10-01'],
        ['Ada', 'agent/api', '11-01'],
      ],
      'name',
    );
    expect(twice?.sources.map(source => source.observation_id)).toEqual(['11-01']);
    const weaker = claimOf(
      [
        ['Ada', 'agent/assert', '10-01'],
        ['Ada', 'agent/api', '11-01'],
      ],
      'name',
    );
    expect(weaker?.sources.map(source => source.observation_id)).toEqual(['10-01', '11-01']);
    expect(weaker).toMatchObject({ confidence: 0.8, last_observed_at: iso('11-01') });
  });

  it('weighs reliability against age by the half-life', () => {
    const spelled = (date: string) =>
      claimOf([
        ['CRO', 'user/manual', '2024-01-01'],
        ['cro', 'csv/import', date],
      ])?.value;
    expect(spelled('2025-02-04')).toBe('CRO');
    expect(spelled('2025-05-15')).toBe('cro');
  });

  it('is corroborated while any agreeing source once stated more than an inference', () => {
    const inferred: Row[] = [
      ['CRO', 'agent/llm', '10-01'],
      ['CRO', 'crm/rules', '10-02'],
    ];
    expect(claimOf(inferred)?.epistemic_class).toBe('inferred');
    const stated: Row = ['CRO', 'agent/api', '2022-01-01'];
    expect(claimOf([stated, ...inferred])?.epistemic_class).toBe('corroborated');
  });

  it('gives way at exactly the share that the rules name', () => {
    const trust = [
      { match: 'strong/*', r: 0.5, class: 'reported' as const },
      { match: 'weak/*', r: 0.4, class: 'reported' as const },
    ];
    const log = [
      statement('name', 'Ada', 'strong/x', at('2026-01-01')),
      statement('name', 'Bob', 'weak/x', at('2026-02-01')),
    ];
    const state = foldAll({ ...defaultRules, trust }, 'name', log, AS_OF);
    expect(toClaim(defaultRules, 'name', state, AS_OF)?.value).toBe('Bob');
  });

  it('is no more than wholly fresh when read by a clock that lags', () => {
    const ahead = AS_OF + DAY_US;
    const state = foldAll(defaultRules, 'intent', [statement('intent', 'buying', 'agent/api', ahead)], ahead);
    expect(toClaim(defaultRules, 'intent', state, AS_OF)).toMatchObject({ freshness_score: 1, freshness: 'fresh' });
  });
});

function claimOf(rows: Row[], property = 'title'): Claim | undefined {
  const log = rows.map(([value, origin, date]) => statement(property, value, origin, at(dated(date)), date));
  return toClaim(defaultRules, property, foldAll(defaultRules, property, log, AS_OF), AS_OF);
}

function dated(date: string): string {
  return date.length === 5 ? `2026-${date}` : date;
}

function iso(date: string): string {
  return `${dated(date)}T00:00:00.000000Z`;
}
