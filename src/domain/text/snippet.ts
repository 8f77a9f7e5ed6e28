import { findConceptTokens } from './thesaurus.js';
import { type Token, tokenizeWithSpans } from './words.js';

/** Maximum length of a snippet in UTF-16 units, including ellipses. */
export const MAX_SNIPPET_LENGTH = 400;

const ELLIPSIS = '…';
/** Space left around the matches, so that their context is not cut off. */
const MARGIN = 40;

/**
 * Extracts the best matching passage of a text: at most `maxLength` characters, cut between words, with `…` where text
 * is left out. Selects the window with the greatest weight of matches, in which the first match of a token counts fully
 * and repeats a tenth, and centres it. Without a match it is the beginning.
 * @param weights weight by token, as `tokenize` returns it, or by concept (`~churn`).
 */
export function extractSnippet(
  text: string,
  weights: ReadonlyMap<string, number>,
  maxLength = MAX_SNIPPET_LENGTH,
): string {
  const whole = text.trim();
  if (whole.length <= maxLength) return whole;
  const matches = findMatches(whole, weights);
  const maxWidth = maxLength - 2 * ELLIPSIS.length;
  const { start, end } = findDensestWindow(matches, weights, maxWidth - MARGIN);
  return cutWindow(whole, Math.max(0, Math.floor((start + end - maxWidth) / 2)), maxWidth);
}

function findMatches(text: string, weights: ReadonlyMap<string, number>): Token[] {
  const concepts = [...weights.keys()].some(token => token.startsWith('~')) ? findConceptTokens(text) : [];
  return [...tokenizeWithSpans(text), ...concepts]
    .filter(token => weights.has(token.text))
    .toSorted((one, other) => one.start - other.start);
}

/** Returns the densest run of matches that fits into `maxWidth`. */
function findDensestWindow(matches: readonly Token[], weights: ReadonlyMap<string, number>, maxWidth: number) {
  let best = { start: 0, end: 0, weight: 0 };
  for (const [i, { start }] of matches.entries()) {
    const seen = new Set<string>();
    let weight = 0;
    for (let j = i; j < matches.length && matches[j]!.end - start <= maxWidth; j++) {
      const { text, end } = matches[j]!;
      weight += weights.get(text)! * (seen.has(text) ? 0.1 : 1);
      seen.add(text);
      if (weight > best.weight) best = { start, end, weight };
    }
  }
  return best;
}

/** Cuts `maxWidth` characters from `from` on at word boundaries, with ellipses. */
function cutWindow(whole: string, from: number, maxWidth: number): string {
  const begin = Math.min(from, whole.length - maxWidth);
  const start = begin === 0 ? 0 : findWordStart(whole, begin, begin + maxWidth);
  const end = start + maxWidth >= whole.length ? whole.length : findWordEnd(whole, start, start + maxWidth);
  const passage = whole.slice(start, end).trim();
  return `${start > 0 ? ELLIPSIS : ''}${passage}${end < whole.length ? ELLIPSIS : ''}`;
}

/** Returns the first word start at or after `from`; text without spaces is cut between characters. */
function findWordStart(text: string, from: number, to: number): number {
  for (let i = from; i < to - (to - from) / 2; i++) if (/\s/.test(text[i - 1]!) && /\S/.test(text[i]!)) return i;
  return /[\uDC00-\uDFFF]/.test(text[from]!) ? from + 1 : from;
}

/** Returns the last word end up to `to`. */
function findWordEnd(text: string, from: number, to: number): number {
  for (let i = to; i > from + (to - from) / 2; i--) if (/\s/.test(text[i]!)) return i;
  return /[\uDC00-\uDFFF]/.test(text[to]!) ? to - 1 : to;
}
