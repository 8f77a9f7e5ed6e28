import { toAxis, toProof, toSides, toStatedText } from '../../console/src/knowledge/evidence.ts';
import { createTimeScale } from '../../console/src/knowledge/scale.ts';
import { type ClaimEvidence, isSafe } from '../../console/src/knowledge/types.ts';
import { isSafe as isSafeForAgents } from '#domain/claims/safe-to-use.js';

type Statement = ClaimEvidence['statements'][number];

const NOW = Date.parse('2026-11-20T00:00:00Z');

const stated = (value: unknown, date: string, role: Statement['role'], weight = 0.5): Statement => ({
  observation_id: `${date}-${String(value)}`,
  value,
  source: `source of ${date}`,
  method: 'api',
  observed_at: `${date}T00:00:00Z`,
  recorded_at: `${date}T00:00:00Z`,
  role,
  r: 0.75,
  weight,
  why: 'Because.',
});

const claim: ClaimEvidence['claim'] = {
  property: 'title',
  value: 'VP Sales',
  value_type: 'string',
  status: 'current',
  confidence: 0.75,
  freshness: 'fresh',
  freshness_score: 0.98,
  epistemic_class: 'asserted',
  valid_from: '2026-09-01T00:00:00Z',
  valid_to: null,
  last_observed_at: '2026-11-01T00:00:00Z',
  refresh_due_at: null,
  decays_at: null,
  observation_count: 3,
  sources: [
    {
      observation_id: 'x',
      source: 'agent',
      method: 'api',
      observed_at: '2026-11-01T00:00:00.000000Z',
      r: 0.75,
      weight: 0.75,
    },
  ],
  opposing: [],
  trust_version: 'default@8',
  entity_id: 'e',
};

const evidence: ClaimEvidence = {
  claim,
  why: {
    code: 'unopposed',
    text: 'It holds.',
    parts: { value: 'VP Sales', sources: 1, source: 'agent', observed_at: null, objection: null, confidence: 0.75 },
  },
  statements: [
    stated('vp sales ', '2026-11-01', 'supports', 0.75),
    stated('CTO', '2026-10-01', 'opposes', 0.2),
    stated('CTO', '2025-01-01', 'superseded', 0),
    stated(null, '2025-06-01', 'superseded', 0),
  ],
  periods: [
    {
      value: 'CTO',
      valid_from: '2025-01-01T00:00:00Z',
      valid_to: '2026-09-01T00:00:00Z',
      ended_by: { id: 'x', source: 'agent' },
    },
  ],
  series: [],
  limit: 50,
  has_more: false,
  next_cursor: null,
};

describe('the time axis of a claim', () => {
  it('has a lane for each value, the present one first, and one for spellings of the same', () => {
    const { lanes, from, to } = toAxis(evidence, NOW);
    expect(lanes.map(({ value, isCurrent, dots }) => [value, isCurrent, dots.length])).toEqual([
      ['VP Sales', true, 1],
      ['CTO', false, 2],
      ['ended', false, 1],
    ]);
    expect(lanes[0]!.periods).toEqual([{ from: Date.parse('2026-09-01T00:00:00Z'), to: NOW }]);
    expect([from, to]).toEqual([Date.parse('2025-01-01T00:00:00Z'), NOW]);
  });

  it('shows each value of a property that has many', () => {
    const many = {
      ...evidence,
      claim: { ...claim, value: ['Gong', 'Salesforce'] },
      statements: [stated(['Gong', 'Salesforce'], '2026-10-01', 'supports')],
      periods: [],
    };
    expect(toAxis(many, NOW).lanes.map(({ value, isCurrent }) => [value, isCurrent])).toEqual([
      ['Gong', true],
      ['Salesforce', true],
    ]);
  });

  it('widens recent time, and keeps every time between its ends', () => {
    const { shareOf } = createTimeScale(Date.parse('2020-01-01'), NOW);
    expect(shareOf(NOW)).toBe(1);
    expect(shareOf(Date.parse('2020-01-01'))).toBeCloseTo(0.02, 1);
    expect(shareOf(Date.parse('2026-01-01'))).toBeLessThan(0.7);
    expect(shareOf(Date.parse('2010-01-01'))).toBe(0);
  });
});

describe('the sides of a claim', () => {
  it('have the heaviest statement first', () => {
    const light = stated('VP Sales', '2026-11-10', 'supports', 0.1);
    const sides = toSides([light, ...evidence.statements]);
    expect(sides.supports.map(({ weight }) => weight)).toEqual([0.75, 0.1]);
    expect([sides.opposes.length, sides.superseded.length]).toEqual([1, 2]);
    expect(toStatedText(null)).toBe('ended');
  });
});

describe('the proof of a claim', () => {
  it('has value, confidence, date and sources', () => {
    expect(toProof(evidence, 'Ada')).toBe(
      'Ada: title = VP Sales\nconfidence 0.75, fresh, 2026-11-01\nagent (api, 2026-11-01)\nIt holds.',
    );
  });
});

describe('what is safe to act on', () => {
  it('is for the console what it is for agents', () => {
    for (const status of ['current', 'ended'] as const)
      for (const freshness of ['fresh', 'aging', 'suspect', 'expired'] as const)
        for (const epistemic_class of ['asserted', 'inferred', 'contested', 'corroborated', 'ended'] as const)
          for (const confidence of [0.5, 0.7, 0.71]) {
            const each = { ...claim, status, freshness, epistemic_class, confidence };
            expect(isSafe(each)).toBe(isSafeForAgents(each as Parameters<typeof isSafeForAgents>[0]));
          }
  });
});
