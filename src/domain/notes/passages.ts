import { expandTokens } from '../text/thesaurus.js';
import { splitWords, stopWords } from '../text/words.js';

/** Maximum length of a passage in UTF-16 units. */
export const MAX_PASSAGE_LENGTH = 900;

/** A part of a text: `[start, end)` in UTF-16 units. */
export interface PassageSpan {
  readonly start: number;
  readonly end: number;
}

/** Matches a line that begins with a speaker: `Ada Lovelace: …`, `[00:12] Ada: …`, `**Ada**: …`. */
const SPEAKER =
  /^\s*(?:[[(]?\d{1,2}(?::\d{2}){1,2}[\])]?\s*(?:[-–]\s*)?)?[*_]{0,2}\p{L}[\p{L}\p{N} .'’()-]{0,48}[*_]{0,2}\s*:\s*\S/u;
const SENTENCE_END = /[.!?…。！？]["”)]?\s/g;
const MIN_SPEAKER_TURNS = 2;

/**
 * Splits a note into passages of at most {@link MAX_PASSAGE_LENGTH} characters, which are searched individually. They
 * end with a speaker's turn, or without speakers with a paragraph. A longer turn is cut between sentences or words. A
 * passage starts with the last turn of the one before if both fit, so that a question stays with its answer. Together
 * the passages cover all of the text except white space.
 */
export function splitPassages(text: string): string[] {
  return findPassageSpans(text).map(({ start, end }) => text.slice(start, end));
}

/** Returns the positions of the passages of {@link splitPassages}. */
export function findPassageSpans(text: string): PassageSpan[] {
  const turns = splitTurns(text).flatMap(turn => splitLong(text, turn));
  const passages: PassageSpan[] = [];
  let first = 0;
  for (let i = 0; i < turns.length; i++) {
    const next = turns[i + 1];
    if (next && next.end - turns[first]!.start <= MAX_PASSAGE_LENGTH) continue;
    passages.push({ start: turns[first]!.start, end: turns[i]!.end });
    const overlaps = next !== undefined && first < i && next.end - turns[i]!.start <= MAX_PASSAGE_LENGTH;
    first = overlaps ? i : i + 1;
  }
  return passages;
}

/** A part of a text in characters (code points), as the database counts them. */
export interface CharacterSpan {
  readonly start: number;
  readonly length: number;
}

/** Converts spans in UTF-16 units into spans in characters, in time linear in the length of the text. */
export function toCharacterSpans(text: string, spans: readonly PassageSpan[]): CharacterSpan[] {
  const before = new Uint32Array(text.length + 1);
  for (let unit = 0; unit < text.length;) {
    const units = text.codePointAt(unit)! > 0xffff ? 2 : 1;
    before.fill(before[unit]! + 1, unit + 1, unit + units + 1);
    unit += units;
  }
  return spans.map(({ start, end }) => ({ start: before[start]!, length: before[end]! - before[start]! }));
}

/** Returns the texts of spans in characters. */
export function cutCharacterSpans(text: string, spans: readonly CharacterSpan[]): string[] {
  const characters = Array.from(text);
  return spans.map(({ start, length }) => characters.slice(start, start + length).join(''));
}

/** Splits at turns of speakers if lines begin with names, else at paragraphs. Spans are trimmed and not empty. */
function splitTurns(text: string): PassageSpan[] {
  const lines = splitSpans(text, /\n/g);
  const spoken = lines.filter(({ start, end }) => SPEAKER.test(text.slice(start, end)));
  if (spoken.length < MIN_SPEAKER_TURNS) return splitSpans(text, /\n\s*\n/g).flatMap(span => trimSpan(text, span));
  const starts = [...new Set([0, ...spoken.map(({ start }) => start)])];
  return starts.flatMap((start, i) => trimSpan(text, { start, end: starts[i + 1] ?? text.length }));
}

function splitSpans(text: string, separator: RegExp): PassageSpan[] {
  const spans: PassageSpan[] = [];
  let start = 0;
  for (const { 0: found, index } of text.matchAll(separator)) {
    spans.push({ start, end: index });
    start = index + found.length;
  }
  return [...spans, { start, end: text.length }];
}

function trimSpan(text: string, { start, end }: PassageSpan): PassageSpan[] {
  const part = text.slice(start, end);
  const inner = part.trim();
  if (inner === '') return [];
  const from = start + (part.length - part.trimStart().length);
  return [{ start: from, end: from + inner.length }];
}

function splitLong(text: string, span: PassageSpan): PassageSpan[] {
  const parts: PassageSpan[] = [];
  let rest: PassageSpan[] = [span];
  while (rest[0] && rest[0].end - rest[0].start > MAX_PASSAGE_LENGTH) {
    const cut = findCut(text, rest[0].start);
    parts.push(...trimSpan(text, { start: rest[0].start, end: cut }));
    rest = trimSpan(text, { start: cut, end: rest[0].end });
  }
  return [...parts, ...rest];
}

/**
 * Returns the last position at which to cut: after a sentence or a word in the second half, else between two
 * characters.
 */
function findCut(text: string, start: number): number {
  const window = text.slice(start, start + MAX_PASSAGE_LENGTH);
  const half = MAX_PASSAGE_LENGTH / 2;
  const sentence = [...window.matchAll(SENTENCE_END)].at(-1)?.index ?? -1;
  if (sentence > half) return start + sentence + 1;
  const word = window.search(/\s\S*$/);
  if (word > half) return start + word;
  return /[\uD800-\uDBFF]$/.test(window) ? start + MAX_PASSAGE_LENGTH - 1 : start + MAX_PASSAGE_LENGTH;
}

/** Index terms of a passage: the count of each token and concept, and the number of tokens. */
export interface IndexTerms {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Indexed with every passage of a note besides its own text. */
export interface NoteHeader {
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Words for which typing errors can be recognised. */
const SPELLABLE = /^[a-z]{4,40}$/;

/** Builds the index terms of a passage from the title, month and year of the note, and its own text. */
export function buildIndexTerms(passage: string, { title, date }: NoteHeader): IndexTerms {
  const month = MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
  const terms = expandTokens(`${title}\n${month} ${date.slice(0, 4)}\n${passage}`);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}

/** Returns the words of a text to which typing errors can be corrected, sorted and without duplicates. */
export function listSpellableWords(text: string): string[] {
  const words = splitWords(text).map(word => word.text);
  return [...new Set(words)].filter(word => SPELLABLE.test(word) && !stopWords.has(word)).toSorted();
}
