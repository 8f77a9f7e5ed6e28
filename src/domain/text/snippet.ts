import { conceptTokensOf } from './thesaurus.js';
import { type Token, tokensOf } from './tokens.js';

/** Longest snippet, in UTF-16 units, ellipses included. */
export const SNIPPET = 400;

const ELLIPSIS = '…';
/** Left free around the matches, so that what hangs on to the outer ones is not cut off. */
const MARGIN = 40;

/**
 * The passage of a text that matches best: at most `longest` characters, cut between words, `…` where something is left
 * out. Chosen is the window with the greatest weight of matches, where the first match of a token counts whole and a
 * repeat a tenth; the match stands in the middle of it. Without any match it is the beginning.
 * @param weights weight by token, as `tokenize` spells them, or by concept (`~churn`).
 */
export function snippetOf(text: string, weights: ReadonlyMap<string, number>, longest = SNIPPET): string {
  const whole = text.trim();
  if (whole.length <= longest) return whole;
  const matches = matchesIn(whole, weights);
  const room = longest - 2 * ELLIPSIS.length;
  const { start, end } = densest(matches, weights, room - MARGIN);
  return framed(whole, Math.max(0, Math.floor((start + end - room) / 2)), room);
}

function matchesIn(text: string, weights: ReadonlyMap<string, number>): Token[] {
  const concepts = [...weights.keys()].some(token => token.startsWith('~')) ? conceptTokensOf(text) : [];
  return [...tokensOf(text), ...concepts]
    .filter(token => weights.has(token.text))
    .toSorted((one, other) => one.start - other.start);
}

/** Where the best run of matches begins and ends that fits into `room`. */
function densest(matches: readonly Token[], weights: ReadonlyMap<string, number>, room: number) {
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
function framed(whole: string, from: number, room: number): string {
  const begin = Math.min(from, whole.length - room);
  const start = begin === 0 ? 0 : nextWord(whole, begin, begin + room);
  const end = start + room >= whole.length ? whole.length : lastBreak(whole, start, start + room);
  const passage = whole.slice(start, end).trim();
  return `${start > 0 ? ELLIPSIS : ''}${passage}${end < whole.length ? ELLIPSIS : ''}`;
}

/** The first place from `from` on where a word begins; a text without blanks is cut between characters. */
function nextWord(text: string, from: number, to: number): number {
  for (let i = from; i < to - (to - from) / 2; i++) if (/\s/.test(text[i - 1]!) && /\S/.test(text[i]!)) return i;
  return /[\uDC00-\uDFFF]/.test(text[from]!) ? from + 1 : from;
}

/** The last place up to `to` where a word ends. */
function lastBreak(text: string, from: number, to: number): number {
  for (let i = to; i > from + (to - from) / 2; i--) if (/\s/.test(text[i]!)) return i;
  return /[\uDC00-\uDFFF]/.test(text[to]!) ? to - 1 : to;
}
