import fc from 'fast-check';
import { splitSectionPassages as sectionPassages } from '#domain/context/context-candidates.js';
import { toOneLine } from '#domain/observation/summary.js';
import { buildQueryTerms } from '#domain/text/query-terms.js';
import { findConceptTokens } from '#domain/text/thesaurus.js';
import type { Token } from '#domain/text/words.js';
import { findRegularExpressions } from '../../support/linear/regular-expressions.js';

// Patterns that are written so that they take linear time, each beside the plain one that means the same.
const EQUAL_PATTERNS: readonly (readonly [name: string, file: string, part: string, plain: RegExp, words: string])[] = [
  [
    'the end of a sentence',
    'src/domain/extract/sentences.ts',
    '[.!?]+',
    /[.!?]+["')\]]*(?=\s|$)|\n[ \t]*(?=\n|[-*•\d>A-Z"'(]|$)/,
    `. ! ? " ' ) ] a A 1 - *`,
  ],
  [
    'the end of a title',
    'src/domain/extract/rules/job-titles.ts',
    'effective',
    /,|;| [-–—] |\(|"|\s+(?:and|but)\s+(?=(?:he|she|they|i|we|is|has|had|will|wants?|would|asked|owns|runs|leads|reports|now)\b)|\s+(?:since|effective|starting|as of|from|after|this|last|next|who|which|where|because|so|today|yesterday|there|here|recently|until|before|when|while|instead)\b|\s+(?:in|on)\s+(?=\d|q\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)/i,
    'and but he has since from last in on 5 may VP Sales , - –',
  ],
  [
    'what is trimmed from a title',
    'src/domain/extract/rules/job-titles.ts',
    String.raw`\.+$`,
    /(?<=(?:^|[^.])[\p{L}\p{N}]{2,})\.+$|[\s,;:!?"'–-]+$/u,
    `. .. , ; - " ' a ab abc Inc I.T é 1`,
  ],
  [
    'who left',
    'src/domain/extract/rules/departure.ts',
    '[Rr]esigned from',
    /(?:(?<who>I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Ww]ho|\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}.'-]*){0,3})(?:\s+[<(]?[^\s<>()@]{1,64}@[^\s<>()@]{1,255}[>)]?)?(?:\s+(?:has|have)|'s|'ve)?(?:\s+(?:just|recently|already|now))?\s+|^)(?:[Ll]eft|[Dd]eparted(?: from)?|[Qq]uit|[Rr]esigned from)\s+(?<rest>.+)/u,
    `Ada I deBoer AdaLovelace O'Neil he who has have 's 've just now left quit (a@b.co) <a@b.co> Acme . - É`,
  ],
  [
    'the budget that was',
    'src/domain/extract/rules/budget.ts',
    String.raw`\bhad`,
    /\bbudgets?\s+(?:was|were)\b(?!\s+(?:\w+ly\s+)?(?:approved|set|raised|increased|cut|allocated|confirmed))|\bhad\s+(?:a|an|the|their|his|her|no|some)?\s*(?:[\w$€£.,]+\s+){0,3}budget|\blast\s+(?:year|quarter|month)/i,
    'had a an the no budget budgets was were approved last year 5 $5k abudget',
  ],
  [
    'a quarter',
    'src/domain/extract/rules/dates.ts',
    'Q([1-4])',
    /\b(?:end of |early |mid[- ]|late )?Q([1-4])(?:\s*(?:of |\/|FY)?\s*'?(20\d\d|\d\d))?\b/i,
    `end of early mid- Q1 Q4 Q5 / FY 2026 26 '26 ' of`,
  ],
  [
    'where a mail address is announced',
    'src/domain/extract/rules/contact.ts',
    'e-?mail',
    /(?:\b(?:my|his|her|their|new|work|personal|private|business|direct)\s+e-?mail(?:\s+address)?(?:\s+(?:is|now|at|changed to)|:)*|^\W*e-?mail(?:\s+address)?\s*:|\b(?:reach|email|e-mail|contact|write to)\s+(?:me|him|her|them)\s+(?:at|on|under|via)|\b(?:is reachable|can be reached)\s+(?:at|under|via))[\s:<"']*$/i,
    `my new email e-mail address is now at : < " ' reach me changed to`,
  ],
  ['a named address', 'src/domain/identity/web-address.ts', '[^<>@]*@', /^[^<>]*<([^<>]*@[^<>]*)>$/, 'a < > @ @@ b.co'],
];

describe('patterns that take linear time', () => {
  const { expressions } = findRegularExpressions();

  it.each(EQUAL_PATTERNS)('finds %s where the plain pattern does', (_name, file, part, plain, words) => {
    const linear = expressions.find(({ place, source }) => place.startsWith(`${file}:`) && source.includes(part));
    const pattern = new RegExp(linear!.source, plain.flags);
    const word = fc.constantFrom(...words.split(' '), ' ', '  ', ' ', '\n');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 25 }), pieces => {
        const text = pieces.join('').trim();
        expect(pattern.exec(text)).toEqual(plain.exec(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('cuts a section as the plain pattern does', () => {
    const plain = /\S[\s\S]{0,278}(?:[.!?](?=\s)|$|\s)/g;
    const piece = fc.constantFrom(
      ' ',
      '. ',
      'a',
      '.',
      '\n',
      '! ',
      'words ',
      'x'.repeat(50),
      'y'.repeat(279),
      'z'.repeat(280),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
        const text = pieces.join('');
        const expected = (text.match(plain) ?? []).slice(0, 20).map(passage => toOneLine(passage));
        expect(sectionPassages('about', text).map(({ value }) => value)).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('asks for the concepts of the longest phrases only', () => {
    const word = fc.constantFrom(
      ...'win back deals lost price increase go live the closed won churn budget'.split(' '),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), words => {
        const question = words.join(' ');
        const phrases = findConceptTokens(question);
        const isWithin = (one: Token, other: Token) =>
          other.start <= one.start && other.end >= one.end && other.end - other.start > one.end - one.start;
        const longest = phrases.filter(phrase => !phrases.some(other => isWithin(phrase, other)));
        const response = buildQueryTerms(question).map(({ token }) => token);
        expect(response.filter(token => token.startsWith('~'))).toEqual([...new Set(longest.map(({ text }) => text))]);
      }),
      { numRuns: 1_000 },
    );
  });
});
