import type { Match, ExtractionRule } from '../extraction.js';
import { findDate, toUtcDay } from './dates.js';

const CUE =
  /\b(?:go(?:ing)?[ -]live|be live|launch|roll(?:ing)?[ -]?out|implement|kick[ -]?off|get started|start using|decide|decision|purchase|buy|sign|renewal|renew|contract (?:ends|expires|runs out)|timeline|deadline|target date|in place|up and running)\b/i;
const MAX_CUE_DISTANCE = 60;

/** Finds planned dates: a date shortly after a word for deciding, buying or going live. */
export const timelineRule: ExtractionRule = {
  id: 'timeline',
  find(sentence, { at }): Match[] {
    const cue = CUE.exec(sentence);
    const from = cue ? cue.index + cue[0].length : 0;
    const date = cue && findDate(sentence, at, from);
    if (!date || date.start - from > MAX_CUE_DISTANCE) return [];
    const isPast = date.day < toUtcDay(at);
    const value = date.day;
    return [
      {
        property: 'timeline',
        value,
        start: cue.index,
        end: date.end,
        future: true,
        ...(isPast && { reviewReason: 'past' }),
      },
    ];
  },
};
