import { styleText } from 'node:util';

/**
 * @typedef {'plain' | 'strong' | 'quiet' | 'doubt' | 'accent' | 'stale'} Tone
 * @typedef {(tone: Tone, text: string) => string} Paint
 */

const FORMATS = {
  plain: 'reset',
  strong: 'bold',
  quiet: 'dim',
  doubt: 'yellow',
  accent: 'cyan',
  stale: ['dim', 'italic'],
};

/** @type {Paint} Leaves texts as they are. What a tone says is always said in words or signs as well. */
export const plain = (_, text) => text;

/** The paint for a stream: colours on a terminal, none elsewhere or with NO_COLOR. @returns {Paint} */
export function paintFor(stream) {
  const inColour = stream.isTTY === true && !process.env['NO_COLOR'];
  return inColour ? (tone, text) => styleText(FORMATS[tone], text, { validateStream: false }) : plain;
}

/** Columns to write in: those of the terminal, within what reads well. */
export function widthOf(stream) {
  return Math.max(80, Math.min(stream.columns ?? 100, 110));
}

/** A text of at most `width` characters, cut with an ellipsis. */
export function cut(text, width) {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** Breaks a text into lines of at most `width` characters, at spaces. */
export function wrapped(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** A whole number as people read it: 1,234. */
export function count(number) {
  return Math.round(number).toLocaleString('en-US');
}

/** `1 row`, `2 rows`. */
export function counted(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}
