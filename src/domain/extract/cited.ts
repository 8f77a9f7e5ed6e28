import type { Span } from './extraction.js';

const SHORTEST = 2;

/**
 * Where a quote stands in a text, with white space, case and the shape of quotation marks folded, at the borders of
 * words. Undefined when it does not, or has fewer than two letters or digits. The one judge of quotes, whoever gives
 * them.
 */
export function spanOf(quote: string, text: string): Span | undefined {
  const wanted = folded(quote.trim()).text.trim();
  if (wanted.replaceAll(/[^\p{L}\p{N}]/gu, '').length < SHORTEST) return undefined;
  const { text: whole, places } = folded(text);
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (isBorder(whole, at) && isBorder(whole, end)) return { start: places[at]!, end: places[end - 1]! + 1 };
  }
  return undefined;
}

/** The text as quotes are compared, and for each of its characters where it stood. */
function folded(text: string): { text: string; places: number[] } {
  const places: number[] = [];
  let result = '';
  for (let i = 0; i < text.length; i++) {
    const plain = plainOf(text[i]!);
    if (plain === ' ' && result.endsWith(' ')) continue;
    for (let j = 0; j < plain.length; j++) places.push(i);
    result += plain;
  }
  return { text: result, places };
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
