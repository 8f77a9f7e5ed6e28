import { parseDescription } from '#domain/icp/parse-description.js';
import { readJudgedDescriptions, summarizeDescription } from '../../support/icp-descriptions.js';

describe('parseDescription', () => {
  it.each(readJudgedDescriptions())('reads "$text" as judged', judged => {
    expect(summarizeDescription(judged.text)).toEqual({ fit: [], excluded: [], pain: [], unread: [], ...judged });
  });

  it('quotes the words that a rule comes from', () => {
    const { fit } = parseDescription('Software companies with 50 to 500 employees. No agencies with under 20 people.');
    expect(fit.map(({ property, quote }) => [property, quote])).toEqual([
      ['industry', 'Software companies with 50 to 500 employees.'],
      ['headcount', 'Software companies with 50 to 500 employees.'],
      ['industry', 'No agencies with under 20 people.'],
    ]);
  });

  it('gives what is only preferred half of the weight', () => {
    const weigh = (text: string) => parseDescription(text).fit.map(({ weight }) => weight);
    expect([weigh('in Austria'), weigh('ideally in Austria')]).toEqual([[1], [0.5]]);
  });
});
