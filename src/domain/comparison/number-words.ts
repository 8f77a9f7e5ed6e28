import { NUMBER_WORDS } from './number-words.data.js';

const wordValues: ReadonlyMap<string, number> = new Map(
  Object.entries(NUMBER_WORDS).flatMap(([value, words]) =>
    words.split(' ').map(word => [word, Number(value)] as const),
  ),
);
/** Endings of compound numbers, longest first: `zweihundertfünfzig`, `vijfentwintig`. */
const wordsByLength: readonly string[] = [...wordValues.keys()]
  .filter(word => word.length > 2)
  .sort((a, b) => b.length - a.length);
const COMPOUND_JOINERS = ['und', 'en', 'e', 'y'];
const MAX_WORD_LENGTH = 60;

/** Returns the factor of a word behind digits: `thousand`, `Million`, `hundred`; undefined if it is none. */
export function multiplierOf(word: string): number | undefined {
  const value = wordValues.get(word);
  if (value === undefined || value < 100 || word.startsWith('cent')) return undefined;
  return value === 100 || value >= 1000 ? value : undefined;
}

/** Returns the numbers of a word: one, or those of a compound (`zweihundertfünfzig`). Undefined if it is no number. */
export function splitNumberWord(word: string): number[] | undefined {
  const value = wordValues.get(word);
  if (value !== undefined) return [value];
  if (word.length > MAX_WORD_LENGTH) return undefined;
  const values: number[] = [];
  let rest = word;
  while (rest !== '') {
    const part = wordsByLength.find(each => rest.startsWith(each));
    if (part !== undefined) {
      values.push(wordValues.get(part)!);
      rest = rest.slice(part.length);
      continue;
    }
    const joiner =
      values.length > 0 ? COMPOUND_JOINERS.find(each => rest.startsWith(each) && rest.length > each.length) : undefined;
    if (joiner === undefined) return undefined;
    rest = rest.slice(joiner.length);
  }
  return values;
}

/** Parses `1,200`, `1.200`, `1 200` and `1'200` as twelve hundred, `1.5` and `1,5` as one and a half. */
export function parseDigits(digits: string): number {
  const text = digits.replaceAll(/[\s'’]/g, '');
  if (/^\d{1,3}(?:[.,]\d{3})+$/.test(text)) return Number(text.replaceAll(/[.,]/g, ''));
  const decimals = /^(\d[\d.,]*)[.,](\d{1,2})$/.exec(text);
  if (decimals) return Number(`${decimals[1]!.replaceAll(/[.,]/g, '')}.${decimals[2]}`);
  return /[.,].*[.,]/.test(text) ? Number(text.replaceAll(/[.,]/g, '')) : Number(text.replace(',', '.'));
}
