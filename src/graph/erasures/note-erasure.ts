import { listSpellableWords } from '#domain/notes/index-terms.js';
import { tokenize } from '#domain/text/tokens.js';
import type { Tx } from '#kernel/db/transaction.js';
import { addPassageCounts } from '../notes/note-index.queries.js';

/** A note whose text is removed from the search index. */
export interface ErasedNote {
  readonly id: string;
  readonly title: string;
  readonly content: string;
}

/** Deletes notes and everything that search derived from them. */
export async function deleteNotes(tx: Tx, notes: readonly ErasedNote[]): Promise<void> {
  if (notes.length === 0) return;
  await deleteNoteIndex(
    tx,
    notes.map(({ id }) => id),
  );
  await deleteUnusedWords(tx, listWords(notes), []);
  await tx.query('DELETE FROM notes WHERE workspace_id = $1 AND id = ANY ($2)', [
    tx.workspace,
    notes.map(({ id }) => id),
  ]);
}

/** Deletes passages, terms and vectors of notes, and subtracts them from the statistics. */
export async function deleteNoteIndex(tx: Tx, ids: readonly string[]): Promise<void> {
  const chunks = await tx.query('DELETE FROM note_chunks WHERE workspace_id = $1 AND note_id = ANY ($2) RETURNING 1', [
    tx.workspace,
    ids,
  ]);
  const terms = await tx.query<{ note_id: string; position: number; length: number }>(
    'DELETE FROM note_terms WHERE workspace_id = $1 AND note_id = ANY ($2) RETURNING note_id, position, length',
    [tx.workspace, ids],
  );
  const lengths = new Map(terms.map(({ note_id, position, length }) => [`${note_id} ${position}`, length]));
  const tokens = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  if (chunks.length > 0) addPassageCounts(tx, -chunks.length, -tokens);
  const [vectors] = await tx.query<{ exists: boolean }>(`SELECT to_regclass('note_vectors') IS NOT NULL AS exists`);
  if (vectors!.exists)
    await tx.query('DELETE FROM note_vectors WHERE workspace_id = $1 AND note_id = ANY ($2)', [tx.workspace, ids]);
}

/** Returns the words of notes that the spelling index knows. */
export function listWords(notes: readonly Pick<ErasedNote, 'title' | 'content'>[]): string[] {
  return listSpellableWords(notes.map(({ title, content }) => `${title}\n${content}`).join('\n'));
}

/**
 * Deletes words from the spelling index that occur in no note any more. A word counts as used if a passage has its
 * stem. Call it after the terms of the notes were deleted.
 * @param kept words that a note of this transaction still has.
 */
export async function deleteUnusedWords(tx: Tx, words: readonly string[], kept: readonly string[]): Promise<void> {
  const keep = new Set(kept);
  const candidates = words.filter(word => !keep.has(word));
  if (candidates.length === 0) return;
  await tx.query(
    `WITH unused AS (
       DELETE FROM note_words w USING unnest($2::text[], $3::text[]) AS candidate (word, term)
       WHERE w.workspace_id = $1 AND w.word = candidate.word
         AND NOT EXISTS (SELECT FROM note_terms t WHERE t.workspace_id = $1 AND t.term = candidate.term)
       RETURNING w.word
     )
     DELETE FROM note_trigrams g USING unused, unnest(show_trgm(unused.word)) AS part (gram)
     WHERE g.workspace_id = $1 AND g.trigram = part.gram AND g.word = unused.word`,
    [tx.workspace, candidates, candidates.map(word => tokenize(word)[0] ?? word)],
  );
}
