import type { Found, Rule } from '../found.js';
import { dayIn, dayOf } from './dates.js';

const CUE =
  /\b(?:go(?:ing)?[ -]live|be live|launch|roll(?:ing)?[ -]?out|implement|kick[ -]?off|get started|start using|decide|decision|purchase|buy|sign|renewal|renew|contract (?:ends|expires|runs out)|timeline|deadline|target date|in place|up and running)\b/i;
const REACH = 60;

/** When it shall happen: a date close behind a word for deciding, buying or going live. */
export const timeline: Rule = {
  id: 'timeline',
  find(sentence, { at }): Found[] {
    const cue = CUE.exec(sentence);
    const from = cue ? cue.index + cue[0].length : 0;
    const date = cue && dayIn(sentence, at, from);
    if (!date || date.start - from > REACH) return [];
    const isPast = date.day < dayOf(at);
    const value = date.day;
    return [
      { property: 'timeline', value, start: cue.index, end: date.end, plans: true, ...(isPast && { doubt: 'past' }) },
    ];
  },
};
