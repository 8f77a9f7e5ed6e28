import type { Found, Rule } from '../found.js';
import { moneyIn } from './money.js';

const CUE = /\bbudget(?:ed|s)?\b|\b(?:set aside|allocated|earmarked)\b/i;
const FROM_CUE = 60;

/** Money that the sentence calls a budget. Two amounts are nobody's budget until somebody looks. */
export const budget: Rule = {
  id: 'budget',
  find(sentence): Found[] {
    const cue = CUE.exec(sentence);
    if (!cue) return [];
    const amounts = moneyIn(sentence).filter(
      ({ start, end }) => start - (cue.index + cue[0].length) < FROM_CUE && cue.index - end < FROM_CUE,
    );
    return amounts.map(({ value, start, end }) => ({
      property: 'budget',
      value,
      start: Math.min(start, cue.index),
      end: Math.max(end, cue.index + cue[0].length),
      ...(amounts.length > 1 && { doubt: 'several_values' as const }),
    }));
  },
};
