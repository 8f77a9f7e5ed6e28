/** A sentence with what rules look at: of the same length as in the text, in plain spaces and quotes. */
export interface Sentence {
  readonly plain: string;
  /** Where it begins in the text. */
  readonly start: number;
}

const ABBREVIATED =
  /(?:\b(?:mr|mrs|ms|dr|prof|inc|ltd|corp|co|jr|sr|st|no|vs|approx|dept|e\.g|i\.e|etc|u\.s|p\.m|a\.m)|\b[A-Za-z])\.$/i;
const BOUNDARY = /[.!?]+["')\]]*(?=\s|$)|\n[ \t]*(?=\n|[-*•\d>A-Z"'(]|$)/g;
const REPLIED_TO =
  /^[ \t]*(?:-{2,} ?(?:original|forwarded) message|_{10,}|on .{6,150} wrote:[ \t]*$|begin forwarded message)/im;
const QUOTED_LINE = /^[ \t]*>.*$/gm;

/**
 * The sentences of a text without what it quotes of another message: those are words of somebody else. A line break
 * ends a sentence where the next line begins like one.
 */
export function sentencesOf(text: string): Sentence[] {
  const plain = ownWords(plainOf(text));
  const sentences: Sentence[] = [];
  let start = 0;
  const push = (end: number) => {
    const cut = plain.slice(start, end);
    const lead = cut.length - cut.trimStart().length;
    if (cut.trim() !== '') sentences.push({ plain: cut.trim().replaceAll('\n', ' '), start: start + lead });
    start = end;
  };
  for (const { 0: mark, index } of plain.matchAll(BOUNDARY)) {
    const end = index + mark.length;
    if (!mark.startsWith('.') || !ABBREVIATED.test(plain.slice(Math.max(start, index - 10), index + 1))) push(end);
  }
  push(plain.length);
  return sentences;
}

/** Every character takes the place of one, so that places in the result are places in the text. */
function plainOf(text: string): string {
  return text
    .replace(/[‘’‛ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/\r/g, ' ')
    .replace(/[^\S\n]/g, ' ');
}

function ownWords(text: string): string {
  const own = text.replace(QUOTED_LINE, line => '\n'.repeat(line.length));
  const end = own.search(REPLIED_TO);
  return end < 0 ? own : own.slice(0, end);
}
