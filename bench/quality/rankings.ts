import { buildIndexTerms, splitPassages } from '#domain/notes/passages.js';
import { bm25, neighbourBoost } from '#domain/text/bm25.js';
import { buildQueryTerms } from '#domain/text/query-terms.js';
import type { JudgedNote, JudgedQuestion } from '../../test/support/graph/notes-quality.ts';

/** What of the ranking is left on. */
export interface Switches {
  /** Concepts of the thesaurus, in notes and questions. */
  readonly thesaurus: boolean;
  /** A passage is lifted by those beside it. */
  readonly lift: boolean;
}

/** Begins the term of a concept. */
const CONCEPT = '~';

interface Passage {
  readonly note: JudgedNote;
  readonly terms: readonly string[];
}

/**
 * Ranks notes by the pure functions that the hub's statement is written after, with parts of them switched off. Typing
 * errors are not guessed at. @returns ids of notes by question, all that have a term in common.
 */
export function pureRankings(
  notes: readonly JudgedNote[],
  questions: readonly JudgedQuestion[],
  switches: Switches,
): Map<string, string[]> {
  const passages = notes.flatMap(note => passagesIn(note, switches));
  return new Map(questions.map(({ id, question }) => [id, ranked(question, passages, switches)]));
}

function passagesIn(note: JudgedNote, switches: Switches): Passage[] {
  return splitPassages(note.content).map(text => {
    const { counts } = buildIndexTerms(text, note);
    const terms = [...counts].flatMap(([term, count]) => Array.from({ length: count }, () => term));
    return { note, terms: terms.filter(term => isOn(term, switches)) };
  });
}

function ranked(question: string, passages: readonly Passage[], switches: Switches): string[] {
  const known = new Set(passages.flatMap(({ terms }) => terms));
  const missing = new Set(buildQueryTerms(question).flatMap(({ token }) => (known.has(token) ? [] : [token])));
  const wanted = buildQueryTerms(question, missing).filter(({ token }) => isOn(token, switches));
  const scores = bm25(
    wanted,
    passages.map(({ terms }) => terms),
  );
  const byNote = new Map<JudgedNote, number[]>();
  for (const [i, { note }] of passages.entries()) byNote.set(note, [...(byNote.get(note) ?? []), scores[i]!]);
  return [...byNote]
    .map(([note, own]) => ({ ...note, score: Math.max(...(switches.lift ? neighbourBoost(own) : own)) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.date < b.date ? 1 : -1))
    .map(({ id }) => id);
}

function isOn(term: string, { thesaurus }: Switches): boolean {
  return thesaurus || !term.startsWith(CONCEPT);
}
