import { findConceptTokens } from './thesaurus.js';
import { type Token, tokenizeWithSpans } from './tokens.js';

/** Longest snippet, in UTF-16 units, ellipses included. */
export const MAX_SNIPPET_LENGTH = 400;

const ELLIPSIS = '…';
/** Left free around the matches, so that what hangs on to the outer ones is not cut off. */
const MARGIN = 40;

/**
 * The passage of a text that matches best: at most `longest` characters, cut between words, `…` where something is left
 * out. Chosen is the window with the greatest weight of matches, where the first match of a token counts whole and a
 * repeat a tenth; the match stands in the middle of it. Without any match it is the beginning.
 * @param weights weight by token, as `tokenize` spells them, or by concept (`~churn`).
 */
export function extractSnippet(
  text: string,
  weights: ReadonlyMap<string, number>,
  maxLength = MAX_SNIPPET_LENGTH,
): string {
  const whole = text.trim();
  if (whole.length <= maxLength) return whole;
  const matches = findMatches(whole, weights);
  const room = maxLength - 2 * ELLIPSIS.length;
  const { start, end } = findDensestWindow(matches, weights, room - MARGIN);
  return cutWindow(whole, Math.max(0, Math.floor((start + end - room) / 2)), room);
}

function findMatches(text: string, weights: ReadonlyMap<string, number>): Token[] {
  const concepts = [...weights.keys()].some(token => token.startsWith('~')) ? findConceptTokens(text) : [];
  return [...tokenizeWithSpans(text), ...concepts]
    .filter(token => weights.has(token.text))
    .toSorted((one, other) => one.start - other.start);
}

/** Where the best run of matches begins and ends that fits into `room`. */
function findDensestWindow(matches: readonly Token[], weights: ReadonlyMap<string, number>, room: number) {
  let best = { start: 0, end: 0, weight: 0 };
  for (const [i, { start }] of matches.entries()) {
    const seen = new Set<string>();
    let weight = 0;
    for (let j = i; j < matches.length && matches[j]!.end - start <= room; j++) {
      const { text, end } = matches[j]!;
      weight += weights.get(text)! * (seen.has(text) ? 0.1 : 1);
      seen.add(text);
      if (weight > best.weight) best = { start, end, weight };
    }
  }
  return best;
}

/** `room` characters from `from` on, moved to the boundaries of words; what was left out is marked. */
function cutWindow(whole: string, from: number, room: number): string {
  const begin = Math.min(from, whole.length - room);
  const start = begin === 0 ? 0 : findWordStart(whole, begin, begin + room);
  const end = start + room >= whole.length ? whole.length : findWordEnd(whole, start, start + room);
  const passage = whole.slice(start, end).trim();
  return `${start > 0 ? ELLIPSIS : ''}${passage}${end < whole.length ? ELLIPSIS : ''}`;
}

/** The first place from `from` on where a word begins; a text without blanks is cut between characters. */
function findWordStart(text: string, from: number, to: number): number {
  for (let i = from; i < to - (to - from) / 2; i++) if (/\s/.test(text[i - 1]!) && /\S/.test(text[i]!)) return i;
  return /[\uDC00-\uDFFF]/.test(text[from]!) ? from + 1 : from;
}

/** The last place up to `to` where a word ends. */
function findWordEnd(text: string, from: number, to: number): number {
  for (let i = to; i > from + (to - from) / 2; i--) if (/\s/.test(text[i]!)) return i;
  return /[\uDC00-\uDFFF]/.test(text[to]!) ? to - 1 : to;
}
