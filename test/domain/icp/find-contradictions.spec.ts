import { composeModel } from '#domain/icp/compose-model.js';
import { findContradictions } from '#domain/icp/find-contradictions.js';
import { parseDescription } from '#domain/icp/parse-description.js';
import { parseModel } from '#domain/score/parse-model.js';

const contradictionsOf = (description: string) => {
  const { fit, pain } = parseDescription(description);
  const read = parseModel(composeModel({ rules: [], described: fit, learned: [], pain, description }), 1);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return findContradictions(read.model.fit);
};

describe('findContradictions', () => {
  it.each([
    [
      'Software companies. No SaaS.',
      ['"industry contains one of Software" is wanted, and "industry contains one of SaaS" excludes it.'],
    ],
    [
      'At least 100 employees. No companies with more than 50 employees.',
      ['"headcount is at least 100" is wanted, and "headcount is at least 51" excludes it.'],
    ],
    [
      'Companies with 50 to 100 employees. At least 1,000 employees.',
      ['No lead can meet both "headcount lies between 50, 100" and "headcount is at least 1000".'],
    ],
    [
      'No companies under 100 people. No companies over 50 people.',
      ['"headcount is at most 99" and "headcount is at least 51" together exclude every lead.'],
    ],
    [
      'No companies outside Germany. No companies in Germany.',
      ['"country is none of Germany" and "country is one of Germany" together exclude every lead.'],
    ],
  ])('reports "%s"', (description, expected) => {
    expect(contradictionsOf(description)).toEqual(expected);
  });

  it.each([
    'Companies in Europe, but not in Germany.',
    'Software companies. No software companies with under 20 people.',
    'Companies with 50 to 500 employees. No companies with more than 1,000 employees.',
    'Software, fintech and logistics. No logistics.',
    'We only sell to software companies in Germany.',
  ])('accepts "%s"', description => {
    expect(contradictionsOf(description)).toEqual([]);
  });
});
