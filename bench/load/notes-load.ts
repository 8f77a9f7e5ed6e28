import { splitWords } from '#domain/text/words.js';
import { concepts } from '#domain/text/thesaurus.js';
import type { LimitStatement } from './limit-statement.ts';

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
  if (!direction) byWord.set(word, (direction = Float64Array.from({ length: DIMS }, randomFromWord(word))));
  return direction;
}

/** Numbers between -1 and 1 that are the same in every run. */
function randomFromWord(word: string): () => number {
  let state = [...word].reduce((hash, char) => (Math.imul(hash, 31) + char.codePointAt(0)!) >>> 0, 17);
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 31 - 1;
}

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
  const chance = randomFromSeed(n + 1);
  if (kind === 'short') return paragraph(chance, SHORT);
  return Array.from({ length: PARAGRAPHS }, () => paragraph(chance, PARAGRAPH)).join('\n\n');
}

/** The n-th question: a phrase of the trade, a frequent word and a rarer one. */
export function questionText(n: number): string {
  const chance = randomFromSeed(7_000_003 + (n % 50));
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
function randomFromSeed(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** A search over the copied passages of one workspace. */
export type NotesLimit =
  /** Full text by a GIN index alone: the eight passages that rank best. */
  | { readonly name: 'passages-by-words'; readonly workspace: string }
  /** Fifty by words, fifty by vectors compared one by one, fused by their ranks: the best eight. */
  | { readonly name: 'passages-hybrid'; readonly workspace: string };

const byWords = `
  SELECT p.id, ts_rank(p.words, wanted) AS score
  FROM (SELECT replace(plainto_tsquery('english', $2)::text, '&', '|')::tsquery AS wanted) AS question
  JOIN bench_passages p ON p.workspace_id = $1 AND p.words @@ wanted
  ORDER BY score DESC`;

const lexical = `SELECT p.id, p.note_id, p.text, hit.score FROM (${byWords} LIMIT 8) AS hit JOIN bench_passages p USING (id)
  ORDER BY hit.score DESC`;

const hybrid = `
  WITH words AS (SELECT id, row_number() OVER (ORDER BY score DESC) AS rank FROM (${byWords} LIMIT 50) AS found),
  near AS (
    SELECT id, row_number() OVER () AS rank FROM (
      SELECT id FROM bench_passages WHERE workspace_id = $1 ORDER BY embedding <=> $3::vector LIMIT 50) AS found
  )
  SELECT p.id, p.note_id, p.text, fused.score FROM (
    SELECT id, sum(1.0 / (60 + rank)) AS score FROM (SELECT * FROM words UNION ALL SELECT * FROM near) AS ranked
    GROUP BY id ORDER BY score DESC LIMIT 8) AS fused
  JOIN bench_passages p USING (id) ORDER BY fused.score DESC`;

let requests = 0;

/** The statement of a limit, with the questions of the benchmark in turn. */
export function notesStatement({ name, workspace }: NotesLimit): LimitStatement {
  if (name === 'passages-by-words') return { text: lexical, values: () => [workspace, questionText(requests++)] };
  const vectors = new Map<string, string>();
  return {
    text: hybrid,
    values: () => {
      const question = questionText(requests++);
      if (!vectors.has(question)) vectors.set(question, JSON.stringify(vectorOf(question)));
      return [workspace, question, vectors.get(question)];
    },
  };
}
