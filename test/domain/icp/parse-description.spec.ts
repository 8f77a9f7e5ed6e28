import fc from 'fast-check';
import { findSizes } from '#domain/icp/description-sizes.js';
import { parseDescription } from '#domain/icp/parse-description.js';
import { readJudgedDescriptions, summarizeDescription } from '../../support/icp-descriptions.js';

/** Reads `1,000` and `1.5`; NaN for digits that are no number. */
function parseCount(digits: string): number {
  const bare = digits.replace(/[.,]$/, '');
  return Number(/^\d{1,3}(?:[.,]\d{3})+$/.test(bare) ? bare.replaceAll(/[.,]/g, '') : bare.replace(',', '.'));
}

describe('findSizes', () => {
  it('finds a range of employees where the plain pattern does', () => {
    const plain = /(\d[\d.,]*)(?: ?[-–—] ?| to )(\d[\d.,]*) ?[ -](?:employees|people)\b/gi;
    const isNumber = (digits: string) => !Number.isNaN(parseCount(digits));
    const word = fc.constantFrom(...'5 51 1,000 1.5 , . - – to employees people'.split(' '), ' ', ' ');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 25 }), pieces => {
        const text = pieces.join('').replaceAll(/ +/g, ' ').trim();
        const range = findSizes(text, false).find(({ conditions: [size] }) => size!['op'] === 'between');
        const match = [...text.matchAll(plain)].find(([, least, most]) => isNumber(least!) && isNumber(most!));
        expect(range && text.slice(range.start, range.end)).toBe(match?.[0]);
      }),
      { numRuns: 1_000 },
    );
  });
});

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

  it('counts a size near the wanted one in part, and excludes by the exact one', () => {
    const sizes = (text: string) =>
      parseDescription(text).fit.map(({ value, slack, disqualify }) => [value, slack, disqualify]);
    expect(sizes('at least 50 employees')).toEqual([[50, 13, undefined]]);
    expect(sizes('No companies under 50 employees')).toEqual([[49, undefined, true]]);
  });

  it('gives what is only preferred half of the weight', () => {
    const weigh = (text: string) => parseDescription(text).fit.map(({ weight }) => weight);
    expect([weigh('in Austria'), weigh('ideally in Austria')]).toEqual([[3], [1.5]]);
  });
});
