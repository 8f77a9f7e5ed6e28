import { concepts } from '#domain/text/thesaurus.js';

/** Paragraphs of a note; each is too long to share a passage with another one. */
export const PARAGRAPHS = 10;

const PARAGRAPH = 520;
const SHORT = 120;
const RARE_WORDS = 8000;

const phrases = [...concepts.values()].flat();
const syllables = [
  'ka',
  'lo',
  'mir',
  'tan',
  've',
  'sho',
  'bru',
  'nel',
  'pi',
  'gor',
  'du',
  'fex',
  'ral',
  'wim',
  'zo',
  'ty',
];

/** The n-th note of a workspace: talk of sales, as frequent words as rare ones. Ten passages, or a single short one. */
export function noteText(n: number, kind: 'long' | 'short'): string {
  const chance = chanceOf(n + 1);
  if (kind === 'short') return paragraph(chance, SHORT);
  return Array.from({ length: PARAGRAPHS }, () => paragraph(chance, PARAGRAPH)).join('\n\n');
}

/** The n-th question: a phrase of the trade, a frequent word and a rarer one. */
export function questionText(n: number): string {
  const chance = chanceOf(7_000_003 + (n % 50));
  return `what about ${phraseBy(chance)} and ${phraseBy(chance)} with ${rareWord(Math.floor(chance() * 200))}`;
}

function paragraph(chance: () => number, length: number): string {
  let text = '';
  while (text.length < length)
    text += chance() < 0.3 ? `${rareWord(skewed(chance, RARE_WORDS))} ` : `${phraseBy(chance)}, `;
  return `${text.trim()}.`;
}

function phraseBy(chance: () => number): string {
  return phrases[(skewed(chance, phrases.length) * 577) % phrases.length]!;
}

function rareWord(n: number): string {
  return [n >> 8, n >> 4, n].map(part => syllables[part & 15]).join('');
}

/** Few numbers often, most of them seldom, as with words of a language. */
function skewed(chance: () => number, below: number): number {
  return Math.floor(below * chance() ** 3);
}

/** Numbers from 0 to 1 that are the same in every run (a linear congruential generator). */
function chanceOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32;
}
