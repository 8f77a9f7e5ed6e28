import type { Span } from './extraction.js';

const SHORTEST = 2;

/** Of a quote that stands within words everywhere, so many places are looked at. */
const MOST_PLACES = 1_000;

/** A text that quotes are looked up in. */
type Folded = ReturnType<typeof folded>;

/**
 * Where a quote stands in a text, with white space, case and the shape of quotation marks folded, at the borders of
 * words. Undefined when it does not, or has fewer than two letters or digits. The one judge of quotes, whoever gives
 * them.
 */
export function spanOf(quote: string, text: string): Span | undefined {
  return spanIn(folded(text), quote);
}

/** {@link spanOf} for many quotes of one text, which is folded once. */
export function spansOf(text: string): (quote: string) => Span | undefined {
  const whole = folded(text);
  return quote => spanIn(whole, quote);
}

function spanIn({ text: whole, places }: Folded, quote: string): Span | undefined {
  const wanted = folded(quote.trim()).text.trim();
  if (wanted.replaceAll(/[^\p{L}\p{N}]/gu, '').length < SHORTEST) return undefined;
  let at = whole.indexOf(wanted);
  for (let looked = 0; at >= 0 && looked < MOST_PLACES; looked++, at = whole.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (isBorder(whole, at) && isBorder(whole, end)) return { start: places[at]!, end: places[end - 1]! + 1 };
  }
  return undefined;
}

/** The text as quotes are compared, and for each of its characters where it stood. */
function folded(text: string): { text: string; places: number[] } {
  const places: number[] = [];
  const pieces: string[] = [];
  for (let i = 0; i < text.length; i++) {
    const plain = plainOf(text[i]!);
    if (plain === ' ' && pieces.at(-1) === ' ') continue;
    for (let j = 0; j < plain.length; j++) places.push(i);
    pieces.push(plain);
  }
  return { text: pieces.join(''), places };
}

function plainOf(character: string): string {
  if (/\s/.test(character)) return ' ';
  if (/[‘’‛ʼ]/.test(character)) return "'";
  if (/[“”„]/.test(character)) return '"';
  return character.toLowerCase();
}

function isBorder(text: string, at: number): boolean {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  return !(isWord(text[at - 1]) && isWord(text[at]));
}
