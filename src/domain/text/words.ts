import { stem } from './stem.js';

/** A folded word of a text, with its position (UTF-16 units, `end` exclusive). */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Longer runs are not words (keys, encoded blobs) and are truncated. */
const MAX_WORD_LENGTH = 40;

const RUN = /\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
const NEGATION = /^(?:cannot|can['’]t|won['’]t|[a-z]+n['’]t)$/;
/** Words that only need lower-casing. Most are, and folding dominates the cost of reading a text. */
const PLAIN = /^[a-z0-9]+$/i;
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Returns the words of a text in order, in lower case and without accents. A number is one word (`50,000` is `50000`),
 * a negation such as `don't` is `not`. Runs of scripts without spaces become overlapping pairs of characters.
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!PLAIN.test(run) && UNSPACED.test(run)) words.push(...splitBigrams(run, index));
    else pushWord(words, run, index);
  }
  return words;
}

/** Letters that Unicode does not decompose, but that people type without their marks. */
const letterFolds = new Map(
  Object.entries({ ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th', ı: 'i', ς: 'σ' }),
);
const LETTER_FOLD_PATTERN = new RegExp(`[${[...letterFolds.keys()].join('')}]`, 'gu');

/**
 * Folds a word: lower case, compatibility forms decomposed, accents removed, letters such as ß and ø as people type
 * them.
 */
export function normalizeWord(word: string): string {
  if (PLAIN.test(word)) return word.toLowerCase();
  const small = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return small.replace(LETTER_FOLD_PATTERN, letter => letterFolds.get(letter)!);
}

function pushWord(words: Word[], run: string, start: number): void {
  const text = truncateWord(toIndexWord(run));
  if (text !== '') words.push({ text, start, end: start + run.length });
}

function toIndexWord(run: string): string {
  const word = normalizeWord(run);
  if (NEGATION.test(word)) return 'not';
  if (PLAIN.test(word)) return word;
  const folded = word.replace(/['’]s?/g, '');
  return /^\p{N}/u.test(folded) ? folded.replace(/,(?=\p{N}{3})/gu, '') : folded;
}

/** Never cuts within a character. */
function truncateWord(text: string): string {
  return text.length <= MAX_WORD_LENGTH
    ? text
    : text
        .slice(0, MAX_WORD_LENGTH)
        .toWellFormed()
        .replace(/\uFFFD$/, '');
}

function splitBigrams(run: string, index: number): Word[] {
  const places: { char: string; start: number }[] = [];
  let start = index;
  for (const char of run) {
    places.push({ char: normalizeWord(char) || char, start });
    start += char.length;
  }
  if (places.length === 1) return [{ text: places[0]!.char, start: index, end: start }];
  return places.slice(1).map(({ char }, i) => ({
    text: places[i]!.char + char,
    start: places[i]!.start,
    end: places[i + 2]?.start ?? start,
  }));
}

/**
 * Function words. Negations are among them: they mean nothing alone, and concepts ("no budget") are found before stop
 * words are removed.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
   can could d did do does doing don down during each few for from further get gets getting got had has have having he
   her here hers him his how i if in into is it its itself just ll m may me might mine more most much must my myself
   no nor not now of off on once only or other our ours out over own re s same shall she should so some such t than
   that the their theirs them then there these they this those through to too under until up us ve very was we were
   what when where which while who whom whose why will with within without would yes you your yours yet im ive id
   youre weve theyre thats whats lets
   anyone anything someone something everyone everything tell know please say says`
    .trim()
    .split(/\s+/),
);

/** A search token: `text` is the stem of a word. */
export type Token = Word;

/**
 * Returns the search tokens of a text in order: folded (lower case, no accents), lightly stemmed, without stop words,
 * repeats included. Deterministic, so tokens may be stored.
 */
export function tokenize(text: string): string[] {
  return tokenizeWithSpans(text).map(token => token.text);
}

/** Returns the tokens of a text with their positions. */
export function tokenizeWithSpans(text: string): Token[] {
  return splitWords(text)
    .filter(word => !stopWords.has(word.text))
    .map(word => ({ ...word, text: stem(word.text) }));
}

/** Returns the tokens of a question. If it has only stop words, returns those, so that every question has terms. */
export function tokenizeQuestion(question: string): string[] {
  const tokens = tokenize(question);
  return tokens.length > 0 ? tokens : splitWords(question).map(word => stem(word.text));
}
