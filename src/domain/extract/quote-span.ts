import type { TextSpan } from './extraction.js';

const MIN_QUOTE_LENGTH = 2;

/** Maximum number of occurrences within words that are checked. */
const MAX_OCCURRENCES = 1_000;

/** A text in which quotes are looked up. */
type FoldedText = ReturnType<typeof foldWithPositions>;

/**
 * Finds a quote in a text, ignoring differences in white space, case and quotation marks, at word boundaries. Undefined
 * if it does not occur, or has fewer than two letters or digits. Quotes of all extractors are checked here.
 */
export function findQuote(quote: string, text: string): TextSpan | undefined {
  return findQuoteIn(foldWithPositions(text), quote);
}

/** Returns {@link findQuote} for many quotes of one text, which is folded once. */
export function quoteFinder(text: string): (quote: string) => TextSpan | undefined {
  const whole = foldWithPositions(text);
  return quote => findQuoteIn(whole, quote);
}

function findQuoteIn({ text: whole, places }: FoldedText, quote: string): TextSpan | undefined {
  const wanted = foldWithPositions(quote.trim()).text.trim();
  if (wanted.replaceAll(/[^\p{L}\p{N}]/gu, '').length < MIN_QUOTE_LENGTH) return undefined;
  let at = whole.indexOf(wanted);
  for (let looked = 0; at >= 0 && looked < MAX_OCCURRENCES; looked++, at = whole.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (isWordBoundary(whole, at) && isWordBoundary(whole, end))
      return { start: places[at]!, end: places[end - 1]! + 1 };
  }
  return undefined;
}

/** Folds a text for comparing quotes; `places` maps each character to its original position. */
function foldWithPositions(text: string): { text: string; places: number[] } {
  const places: number[] = [];
  const pieces: string[] = [];
  for (let i = 0; i < text.length; i++) {
    const plain = foldCharacter(text[i]!);
    if (plain === ' ' && pieces.at(-1) === ' ') continue;
    for (let j = 0; j < plain.length; j++) places.push(i);
    pieces.push(plain);
  }
  return { text: pieces.join(''), places };
}

function foldCharacter(character: string): string {
  if (/\s/.test(character)) return ' ';
  if (/[‘’‛ʼ]/.test(character)) return "'";
  if (/[“”„]/.test(character)) return '"';
  return character.toLowerCase();
}

function isWordBoundary(text: string, at: number): boolean {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  return !(isWord(text[at - 1]) && isWord(text[at]));
}
