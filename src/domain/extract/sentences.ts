import type { TextSpan } from './extraction.js';

/** A sentence with plain spaces and quotes, of the same length as in the text. */
export interface Sentence {
  readonly plain: string;
  /** Start position in the text. */
  readonly start: number;
}

const ABBREVIATED =
  /(?:\b(?:mr|mrs|ms|dr|prof|inc|ltd|corp|co|jr|sr|st|no|vs|approx|dept|e\.g|i\.e|etc|u\.s|p\.m|a\.m)|\b[A-Za-z])\.$/i;
const BOUNDARY = /(?<![.!?])[.!?]+["')\]]*(?=\s|$)|;(?=\s)|\n[ \t]*(?=\n|[-*•\d>A-Z"'(]|$)/g;
/** A German day: `2. Dezember`. */
const ORDINAL = /^\D{0,2}\d{1,2}\. (?:jan|jän|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)/iu;
const REPLY_HEADER =
  /^[ \t]*(?:-{2,} ?(?:original|forwarded) message|_{10,}|on .{6,150} wrote:[ \t]*$|begin forwarded message)/im;
const QUOTED_LINE = /^[ \t]*>.*$/gm;

/** Rules look back and ahead, so their cost grows with the square of this. No real sentence is as long. */
export const MAX_SENTENCE_LENGTH = 1_000;
const WORD = /[\p{L}\p{N}]{2}/u;
const LONE_LETTER = /^[\p{L}\p{N}](?![\p{L}\p{N}])/u;
const LOW_SURROGATE = /[\uDC00-\uDFFF]/;

/**
 * Splits a text into sentences, without quoted messages, which are somebody else's words. A line break ends a sentence
 * if the next line starts like one. Sentences are cut at a thousand characters.
 */
export function splitSentences(text: string): Sentence[] {
  const plain = removeQuotedReplies(normalizeCharacters(text));
  const sentences: Sentence[] = [];
  let start = 0;
  const push = (end: number) => {
    for (const piece of splitLongSentence(plain, start, end)) {
      const cut = plain.slice(piece.start, piece.end);
      const lead = cut.length - cut.trimStart().length;
      if (WORD.test(cut)) sentences.push({ plain: cut.trim().replaceAll('\n', ' '), start: piece.start + lead });
    }
    start = end;
  };
  for (const { 0: mark, index } of plain.matchAll(BOUNDARY)) {
    const end = index + mark.length;
    const isOrdinal = mark === '.' && ORDINAL.test(plain.slice(Math.max(start, index - 3), index + 12));
    if (isOrdinal) continue;
    if (!mark.startsWith('.') || !ABBREVIATED.test(plain.slice(Math.max(start, index - 10), index + 1))) push(end);
  }
  push(plain.length);
  return sentences;
}

function* splitLongSentence(text: string, start: number, end: number): Generator<TextSpan> {
  let from = start;
  while (end - from > MAX_SENTENCE_LENGTH) {
    const to = findBreak(text, from);
    yield { start: from, end: to };
    from = to;
  }
  yield { start: from, end };
}

/**
 * Cuts between words if possible, else within a word, but never within a character or so that a single letter remains.
 */
function findBreak(text: string, from: number): number {
  const most = from + MAX_SENTENCE_LENGTH;
  const window = text.slice(from, most + 1);
  const space = Math.max(window.lastIndexOf(' '), window.lastIndexOf('\n'));
  if (space > 0) return from + space;
  let end = most;
  while (LOW_SURROGATE.test(text[end]!) || LONE_LETTER.test(text.slice(end, end + 4))) end -= 1;
  return end;
}

/** Replaces characters one by one, so that positions stay valid. */
function normalizeCharacters(text: string): string {
  return text
    .replace(/[‘’‛ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/\r/g, ' ')
    .replace(/[^\S\n]/g, ' ');
}

function removeQuotedReplies(text: string): string {
  const own = text.replace(QUOTED_LINE, line => '\n'.repeat(line.length));
  const end = own.search(REPLY_HEADER);
  return end < 0 ? own : own.slice(0, end);
}
