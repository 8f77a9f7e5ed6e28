import type { ScoreRule } from '#domain/score/model.js';
import { matchRule } from '#domain/score/match-rule.js';
import { findRank } from '#domain/comparison/titles.js';

const match = (property: string, op: ScoreRule['op'], value: ScoreRule['value'], given: ScoreRule['value']) =>
  matchRule({ property, op, value, slack: 0 }, given);

describe('matchRule', () => {
  it.each<[title: string, wanted: string, share: number]>([
    ['Director of Sales', 'cto', 0],
    ['Chief Technology Officer', 'cto', 1],
    ['CTO & Co-Founder', 'cto', 1],
    ['Assistant to the CEO', 'ceo', 0],
    ['Former CFO', 'cfo', 0],
    ['Advisor to the CFO', 'cfo', 0],
    ['Finanzvorstand', 'cfo', 1],
    ['Vice President Sales', 'vp', 1],
    ['Vertriebsleiterin', 'sales', 1],
    ['Directeur commercial', 'sales', 1],
    ['Wholesale Buyer', 'sales', 0],
    ['Account Executive', 'account executive', 1],
    ['Head of Sales', 'account executive', 0],
    ['International Account Manager', 'intern', 0],
    ['Marketing Intern', 'intern', 1],
    ['VP Sales & Marketing', 'vp marketing', 1],
    ['Head of Quantum Research', 'quantum', 1],
  ])('finds in the title "%s" the words "%s" with %d', (title, wanted, share) => {
    expect(match('title', 'contains_any', [wanted], title)).toBe(share);
  });

  it.each<[property: string, op: ScoreRule['op'], value: ScoreRule['value'], given: ScoreRule['value'], number]>([
    ['country', 'in', ['Germany'], 'Deutschland', 1],
    ['country', 'in', ['Germany'], 'DE', 1],
    ['country', 'in', ['Germany'], 'Austria', 0],
    ['country', 'eq', 'United States', 'USA', 1],
    ['industry', 'contains_any', ['software'], 'Logiciels', 1],
    ['industry', 'in', ['health care'], 'Gesundheitswesen', 1],
    ['industry', 'contains_any', ['bank'], 'Embankment works', 0],
    ['seniority', 'in', ['c_level'], 'C-Level', 1],
    ['seniority', 'in', ['vp'], 'Vice President', 1],
    ['technologies', 'contains_any', ['go'], ['Django', 'MongoDB'], 0],
    ['technologies', 'contains_any', ['Go'], ['Go', 'Rust'], 1],
    ['keywords', 'contains_any', ['agency'], 'Marketing agencies', 1],
    ['headcount', 'gte', 100, 'about 200', 1],
    ['headcount', 'lte', 100, 'over 500 people', 0],
  ])('compares %s %s %j with %j', (property, op, value, given, share) => {
    expect(match(property, op, value, given)).toBe(share);
  });
});

describe('findRank', () => {
  it.each([
    'Jefe de proyecto',
    'Coordinadora de ventas',
    'Coordinador',
    'Capo area',
    'Coordinatore marketing',
    'Gestor comercial',
    'Coordenadora de marketing',
    'Marketing Coordinator',
  ])('returns manager for "%s"', title => expect(findRank(title)).toBe('manager'));
});
