import { comparisonTypeOf } from '../comparison/comparison-key.js';
import { countryCode } from '../comparison/countries.js';
import { findIndustries } from '../comparison/industries.js';
import { isTitleNamed } from '../comparison/titles.js';
import { toSingular, toWords } from '../comparison/canonical-key.js';
import { toSeniorityRank } from './seniority.js';

/** How texts of a property are compared with one word or phrase of a rule. */
export interface TextMatcher {
  /** Whether a text says the same as the phrase. */
  isEqual(text: string): boolean;
  /** Whether a text says the same as the phrase, and perhaps more. */
  isMentioned(text: string): boolean;
}

/** Maximum number of characters of a text that are searched. */
const MAX_TEXT = 10_000;

/** Returns the matcher of a phrase: by type of the property where the type can read the phrase, else word by word. */
export function buildTextMatcher(property: string, phrase: string): TextMatcher {
  switch (comparisonTypeOf(property)) {
    case 'title':
      return buildTitleMatcher(phrase);
    case 'seniority':
      return buildSeniorityMatcher(phrase);
    case 'industry':
      return buildIndustryMatcher(phrase);
    case 'country':
      return buildCountryMatcher(phrase);
    default:
      return buildWordMatcher(phrase);
  }
}

function buildTitleMatcher(phrase: string): TextMatcher {
  return {
    isEqual: text => isTitleNamed(text, phrase) && isTitleNamed(phrase, text),
    isMentioned: text => isTitleNamed(text, phrase),
  };
}

/** `C-Level`, `c_level` and `CFO` are one rank. */
function buildSeniorityMatcher(phrase: string): TextMatcher {
  const rank = toSeniorityRank(phrase);
  const isEqual = (text: string) => toSeniorityRank(text) === rank;
  return { isEqual, isMentioned: isEqual };
}

function buildIndustryMatcher(phrase: string): TextMatcher {
  const wanted = [...findIndustries(phrase)];
  const words = buildWordMatcher(phrase);
  if (wanted.length === 0) return words;
  const isMentioned = (text: string) => {
    const found = findIndustries(text);
    return wanted.every(industry => found.has(industry)) || words.isMentioned(text);
  };
  return { isEqual: isMentioned, isMentioned };
}

function buildCountryMatcher(phrase: string): TextMatcher {
  const wanted = countryCode(phrase);
  const words = buildWordMatcher(phrase);
  if (wanted === undefined) return words;
  const isEqual = (text: string) => countryCode(text) === wanted;
  return { isEqual, isMentioned: text => isEqual(text) || words.isMentioned(text) };
}

/** Compares whole words; a plural is the same word as its singular. */
function buildWordMatcher(phrase: string): TextMatcher {
  const wanted = toWords(phrase).map(toSingular).join(' ');
  const join = (text: string) => toWords(text.slice(0, MAX_TEXT)).map(toSingular).join(' ');
  return {
    isEqual: text => join(text) === wanted,
    isMentioned: text => wanted !== '' && ` ${join(text)} `.includes(` ${wanted} `),
  };
}
