import fc from 'fast-check';
import { composeModel } from '#domain/icp/compose-model.js';
import type { CustomerExample } from '#domain/icp/example-bins.js';
import { computeAuc, learnScorecards } from '#domain/icp/learn-scorecards.js';
import { parseDescription } from '#domain/icp/parse-description.js';
import { buildInlineEvidence } from '#domain/score/evidence.js';
import { toScorecard } from '#domain/score/match-rule.js';
import type { IcpModel } from '#domain/score/model.js';
import { parseModel } from '#domain/score/parse-model.js';
import { scoreLead } from '#domain/score/score-lead.js';
import { NOW } from '../../support/graph/score-evidence.js';
import { drawCustomers, trainNaiveBayes } from '../../support/icp-customers.js';

const toModel = (learned: ReturnType<typeof learnScorecards>): IcpModel => {
  const content = composeModel({
    rules: [],
    described: [],
    learned: learned.rules,
    pain: [],
    description: undefined,
  });
  const read = parseModel(content, 1);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.model;
};
const fitOf = (model: IcpModel, example: CustomerExample) =>
  scoreLead(model, buildInlineEvidence(Object.fromEntries(example), new Set(), NOW), NOW).layers.fit;

describe('learnScorecards', () => {
  it('scores what won customers have above what lost ones have', () => {
    const { won, lost } = drawCustomers(1, 60);
    const model = toModel(learnScorecards(won, lost, []));
    const score = (example: Record<string, string | number>) => fitOf(model, new Map(Object.entries(example))).score!;
    const best = { industry: 'Software', headcount: 120, country: 'Germany', title: 'VP Sales' };
    const worst = { industry: 'Retail', headcount: 5, country: 'France', title: 'HR assistant' };
    expect(score(best)).toBeGreaterThan(score(worst) + 40);
  });

  it('says of each bin how many customers have it', () => {
    const example = (industry: string) => new Map([['industry', industry]]);
    const won = [...Array.from({ length: 9 }, () => example('Software')), example('Retail')];
    const lost = [...Array.from({ length: 8 }, () => example('Einzelhandel')), example('SaaS'), example('Mining')];
    const [rule] = learnScorecards(won, lost, []).rules;
    expect(rule).toMatchObject({
      on: 'company',
      property: 'industry',
      op: 'scorecard',
      value: {
        bins: [
          { value: ['mining'], evidence: '0 of 10 won customers, 1 of 10 lost ones' },
          { value: ['retail'], share: 0, evidence: '1 of 10 won customers, 8 of 10 lost ones' },
          { value: ['software'], share: 1, evidence: '9 of 10 won customers, 1 of 10 lost ones' },
        ],
      },
    });
    expect(fitOf(toModel(learnScorecards(won, lost, [])), example('SaaS')).reasons).toMatchObject([
      { text: 'industry "SaaS": 9 of 10 won customers, 1 of 10 lost ones', points: 100 },
    ]);
  });

  it('keeps the values that most customers have, where there are more than a rule can hold', () => {
    const example = (industry: string) => new Map([['industry', industry]]);
    const won = Array.from({ length: 100 }, (_, i) => example(i < 40 ? 'Software' : `Trade of kind ${i}`));
    const lost = Array.from({ length: 100 }, (_, i) => example(i < 40 ? 'Retail' : `Craft of kind ${i}`));
    const learned = learnScorecards(won, lost, []);
    expect(toScorecard(learned.rules[0]!['value']!).bins).toHaveLength(50);
    const model = toModel(learned);
    expect([fitOf(model, example('SaaS')).score, fitOf(model, example('Retail')).score]).toEqual([100, 0]);
  });

  it('reads a seniority as it is stated, and from a title', () => {
    const won = Array.from({ length: 10 }, (_, i) => new Map([i < 5 ? ['seniority', 'C-Level'] : ['title', 'CFO']]));
    const lost = Array.from({ length: 10 }, () => new Map([['seniority', 'manager']]));
    const model = toModel(learnScorecards(won, lost, []));
    const { reasons } = fitOf(model, new Map([['seniority', 'c_level']]));
    expect(reasons).toContainEqual(
      expect.objectContaining({ text: 'seniority "c_level": 10 of 10 won customers, 0 of 10 lost ones' }),
    );
  });

  it('learns nothing from customers that do not differ', () => {
    const { won } = drawCustomers(2, 40);
    expect(learnScorecards(won, won, []).rules).toEqual([]);
  });

  it('takes the description as prior knowledge where examples are few', () => {
    const example = (industry: string) => new Map([['industry', industry]]);
    const won = Array.from({ length: 10 }, (_, i) => example(i < 5 ? 'Software' : 'Retail'));
    const lost = Array.from({ length: 10 }, (_, i) => example(i < 4 ? 'Software' : 'Retail'));
    const shareOf = (text: string) => {
      const model = toModel(learnScorecards(won, lost, parseDescription(text).fit));
      return fitOf(model, example('logistics')).score!;
    };
    expect(shareOf('Logistics companies.')).toBe(100);
    expect(shareOf('Retailers.')).toBeLessThan(100);
  });

  it('draws a lead of which little is known to the average customer', () => {
    const { won, lost } = drawCustomers(3, 80);
    const model = toModel(learnScorecards(won, lost, []));
    const all = model.fit.reduce((sum, { weight }) => sum + weight, 0);
    const points = model.fit.reduce((sum, { weight, value }) => sum + weight * toScorecard(value).average, 0);
    const { score, coverage } = fitOf(model, new Map([['country', 'Germany']]));
    expect(coverage).toBeLessThan(0.3);
    expect(Math.abs(score! - (100 * points) / all)).toBeLessThan(15);
  });

  it('ranks customers that it has not seen at least as well as naive Bayes', () => {
    const gains = Array.from({ length: 12 }, (_, seed) => {
      const { won, lost } = drawCustomers(seed + 10, 30);
      const held = drawCustomers(seed + 500, 200);
      const model = toModel(learnScorecards(won, lost, []));
      const bayes = trainNaiveBayes(won, lost);
      const rank = (score: (example: CustomerExample) => number) =>
        computeAuc(held.won.map(score), held.lost.map(score));
      return rank(example => fitOf(model, example).score!) - rank(bayes);
    });
    expect(gains.reduce((sum, gain) => sum + gain, 0) / gains.length).toBeGreaterThan(-0.005);
  });

  it('measures itself on customers that were held out', () => {
    const { won, lost } = drawCustomers(4, 100);
    expect(learnScorecards(won, lost, []).heldOutAuc).toBeGreaterThan(0.7);
    const shuffled = [...won, ...lost].filter((_, i) => i % 2 === 0);
    const others = [...won, ...lost].filter((_, i) => i % 2 === 1);
    expect(Math.abs(learnScorecards(shuffled, others, []).heldOutAuc - 0.5)).toBeLessThan(0.15);
  });
});

describe('computeAuc', () => {
  it('is the share of pairs in which the won customer scores higher; ties count half', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(scores, scores, (won, lost) => {
        const pairs = won.flatMap(one => lost.map(other => (one > other ? 1 : one === other ? 0.5 : 0)));
        const expected = pairs.reduce<number>((sum, each) => sum + each, 0) / pairs.length;
        expect(computeAuc(won, lost)).toBeCloseTo(expected, 10);
      }),
    );
  });
});
