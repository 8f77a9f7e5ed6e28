/** Longest passage, in UTF-16 units. */
export const PASSAGE = 900;

/** A part of a text: `[start, end)` in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A line that begins with a speaker: `Ada Lovelace: …`, `[00:12] Ada: …`, `**Ada**: …`. */
const SPEAKER =
  /^\s*(?:[[(]?\d{1,2}(?::\d{2}){1,2}[\])]?\s*(?:[-–]\s*)?)?[*_]{0,2}\p{L}[\p{L}\p{N} .'’()-]{0,48}[*_]{0,2}\s*:\s*\S/u;
const SENTENCE_END = /[.!?…。！？]["”)]?\s/g;
const TURNS_AT_LEAST = 2;

/**
 * Cuts a note into passages of at most {@link PASSAGE} characters, which are found by themselves. They end where a
 * speaker's turn ends, or in a text without speakers a paragraph; a turn that is longer is cut between sentences, or
 * words. A passage begins with the last turn of the one before if both fit, so that question and answer stay together.
 * Every passage is a part of the text, and together they are all of it but white space.
 */
export function passagesOf(text: string): string[] {
  return passageSpans(text).map(({ start, end }) => text.slice(start, end));
}

/** Where the passages of {@link passagesOf} stand. */
export function passageSpans(text: string): Span[] {
  const turns = turnsOf(text).flatMap(turn => splitLong(text, turn));
  const passages: Span[] = [];
  let first = 0;
  for (let i = 0; i < turns.length; i++) {
    const next = turns[i + 1];
    if (next && next.end - turns[first]!.start <= PASSAGE) continue;
    passages.push({ start: turns[first]!.start, end: turns[i]!.end });
    const overlaps = next !== undefined && first < i && next.end - turns[i]!.start <= PASSAGE;
    first = overlaps ? i : i + 1;
  }
  return passages;
}

/** Turns of speakers where lines begin with names, else paragraphs; without outer white space, none empty. */
function turnsOf(text: string): Span[] {
  const lines = spansBetween(text, /\n/g);
  const spoken = lines.filter(({ start, end }) => SPEAKER.test(text.slice(start, end)));
  if (spoken.length < TURNS_AT_LEAST) return spansBetween(text, /\n\s*\n/g).flatMap(span => trimmed(text, span));
  const starts = [...new Set([0, ...spoken.map(({ start }) => start)])];
  return starts.flatMap((start, i) => trimmed(text, { start, end: starts[i + 1] ?? text.length }));
}

function spansBetween(text: string, separator: RegExp): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const { 0: found, index } of text.matchAll(separator)) {
    spans.push({ start, end: index });
    start = index + found.length;
  }
  return [...spans, { start, end: text.length }];
}

function trimmed(text: string, { start, end }: Span): Span[] {
  const part = text.slice(start, end);
  const inner = part.trim();
  if (inner === '') return [];
  const from = start + (part.length - part.trimStart().length);
  return [{ start: from, end: from + inner.length }];
}

function splitLong(text: string, span: Span): Span[] {
  const parts: Span[] = [];
  let rest: Span[] = [span];
  while (rest[0] && rest[0].end - rest[0].start > PASSAGE) {
    const cut = cutOf(text, rest[0].start);
    parts.push(...trimmed(text, { start: rest[0].start, end: cut }));
    rest = trimmed(text, { start: cut, end: rest[0].end });
  }
  return [...parts, ...rest];
}

/** Where to cut at the latest: behind a sentence, or a word, in the second half; else between two characters. */
function cutOf(text: string, start: number): number {
  const window = text.slice(start, start + PASSAGE);
  const half = PASSAGE / 2;
  const sentence = [...window.matchAll(SENTENCE_END)].at(-1)?.index ?? -1;
  if (sentence > half) return start + sentence + 1;
  const word = window.search(/\s\S*$/);
  if (word > half) return start + word;
  return /[\uD800-\uDBFF]$/.test(window) ? start + PASSAGE - 1 : start + PASSAGE;
}
