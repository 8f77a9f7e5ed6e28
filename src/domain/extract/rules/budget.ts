import type { ReviewReason, ExtractionContext } from '../extraction.js';
import type { Match, ExtractionRule } from '../extraction-rule.js';
import { findMoney } from './money.js';

const CUE = /\bbudget(?:ed|s)?\b|\b(?:set aside|allocated|earmarked)\b/i;
const MAX_CUE_DISTANCE = 60;
const OWN_BUDGET =
  /\b(?:my|our)\s+(?:[\w'-]+\s+){0,2}budget|\b(?:I|we)(?:\s+(?:have|had|only|also)|'ve)?\s+(?:[\w'-]+\s+){0,2}(?:budget|set aside|allocated|earmarked)/i;
const PAST_BUDGET =
  /\bbudgets?\s+(?:was|were)\b(?!\s+(?:\w+ly\s+)?(?:approved|set|raised|increased|cut|allocated|confirmed))|\bhad\s+(?:(?:a|an|the|their|his|her|no|some)\s*)?(?:[\w$€£.,]+\s+){0,3}budget|\blast\s+(?:year|quarter|month)/i;
const PRICE =
  /\b(?:price[sd]?|pricing|costs?|quotes?d?|offers?|fee|invoice)\b|\b(?:above|over|below|under|exceeds?|beyond|outside(?: of)?|within|more than)\s+(?:their|the|his|her|our|your|any)\s+(?:\w+\s+)?budget/i;

/** Finds amounts of money that the sentence calls a budget. Several amounts need review. */
export const budgetRule: ExtractionRule = {
  id: 'budget',
  find(sentence, context): Match[] {
    const cue = CUE.exec(sentence);
    if (!cue) return [];
    const amounts = findMoney(sentence).filter(
      ({ start, end }) => start - (cue.index + cue[0].length) < MAX_CUE_DISTANCE && cue.index - end < MAX_CUE_DISTANCE,
    );
    const doubt = amounts.length > 1 ? 'several_values' : checkBudgetOwner(sentence, context);
    return amounts.map(({ value, start, end }) => ({
      property: 'budget',
      value,
      start: Math.min(start, cue.index),
      end: Math.max(end, cue.index + cue[0].length),
      doubt,
    }));
  },
};

function checkBudgetOwner(sentence: string, { isAuthor }: ExtractionContext): ReviewReason | undefined {
  if (PRICE.test(sentence)) return 'unattributed';
  if (OWN_BUDGET.test(sentence) && !isAuthor) return 'first_person';
  return PAST_BUDGET.test(sentence) ? 'past' : undefined;
}
