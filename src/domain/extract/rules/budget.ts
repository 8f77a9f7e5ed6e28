import type { Doubt, ReadingContext } from '../extraction.js';
import type { Found, Rule } from '../found.js';
import { moneyIn } from './money.js';

const CUE = /\bbudget(?:ed|s)?\b|\b(?:set aside|allocated|earmarked)\b/i;
const FROM_CUE = 60;
const OURS =
  /\b(?:my|our)\s+(?:[\w'-]+\s+){0,2}budget|\b(?:I|we)(?:\s+(?:have|had|only|also)|'ve)?\s+(?:[\w'-]+\s+){0,2}(?:budget|set aside|allocated|earmarked)/i;
const WAS =
  /\bbudgets?\s+(?:was|were)\b(?!\s+(?:\w+ly\s+)?(?:approved|set|raised|increased|cut|allocated|confirmed))|\bhad\s+(?:(?:a|an|the|their|his|her|no|some)\s*)?(?:[\w$€£.,]+\s+){0,3}budget|\blast\s+(?:year|quarter|month)/i;
const A_PRICE =
  /\b(?:price[sd]?|pricing|costs?|quotes?d?|offers?|fee|invoice)\b|\b(?:above|over|below|under|exceeds?|beyond|outside(?: of)?|within|more than)\s+(?:their|the|his|her|our|your|any)\s+(?:\w+\s+)?budget/i;

/** Money that the sentence calls a budget. Two amounts are nobody's budget until somebody looks. */
export const budget: Rule = {
  id: 'budget',
  find(sentence, context): Found[] {
    const cue = CUE.exec(sentence);
    if (!cue) return [];
    const amounts = moneyIn(sentence).filter(
      ({ start, end }) => start - (cue.index + cue[0].length) < FROM_CUE && cue.index - end < FROM_CUE,
    );
    const doubt = amounts.length > 1 ? 'several_values' : doubtAboutWhose(sentence, context);
    return amounts.map(({ value, start, end }) => ({
      property: 'budget',
      value,
      start: Math.min(start, cue.index),
      end: Math.max(end, cue.index + cue[0].length),
      doubt,
    }));
  },
};

function doubtAboutWhose(sentence: string, { isAuthor }: ReadingContext): Doubt | undefined {
  if (A_PRICE.test(sentence)) return 'unattributed';
  if (OURS.test(sentence) && !isAuthor) return 'first_person';
  return WAS.test(sentence) ? 'past' : undefined;
}
