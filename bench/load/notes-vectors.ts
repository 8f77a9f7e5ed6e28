import { splitWords } from '#domain/text/words.js';

const DIMS = 384;
const byWord = new Map<string, Float64Array>();

/** A vector for a text that is near to those of texts with the same words: the sum of a fixed direction for each word. */
export function vectorOf(text: string): number[] {
  const sum = new Float64Array(DIMS);
  for (const { text: word } of splitWords(text)) {
    const direction = directionOf(word);
    for (let i = 0; i < DIMS; i++) sum[i]! += direction[i]!;
  }
  const length = Math.hypot(...sum) || 1;
  return Array.from(sum, value => Number((value / length).toFixed(6)));
}

function directionOf(word: string): Float64Array {
  let direction = byWord.get(word);
  if (!direction) byWord.set(word, (direction = Float64Array.from({ length: DIMS }, chanceOf(word))));
  return direction;
}

/** Numbers between -1 and 1 that are the same in every run. */
function chanceOf(word: string): () => number {
  let state = [...word].reduce((hash, char) => (Math.imul(hash, 31) + char.codePointAt(0)!) >>> 0, 17);
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 31 - 1;
}
