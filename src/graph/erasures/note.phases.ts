import { findPassageSpans, listSpellableWords } from '#domain/notes/passages.js';
import { tokenize } from '#domain/text/words.js';
import type { Tx } from '#kernel/db/transaction.js';
import { deleteTerms, indexNote } from '../notes/note-index.queries.js';
import { type ErasedPerson, type ErasurePhase, findWindowEnd, redactNullable, redactValue } from './erasure-phase.js';

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
  await tx.query('DELETE FROM note_log WHERE workspace_id = $1 AND id = ANY ($2)', [
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
  await deleteTerms(tx, ids, chunks.length);
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
 * @param stillUsed words that a note of this transaction still has.
 */
export async function deleteUnusedWords(tx: Tx, words: readonly string[], stillUsed: readonly string[]): Promise<void> {
  const keep = new Set(stillUsed);
  const candidates = words.filter(word => !keep.has(word));
  if (candidates.length === 0) return;
  await tx.query(
    `WITH unused AS (
       DELETE FROM note_words w USING unnest($2::text[], $3::text[]) AS candidate (word, term)
       WHERE w.workspace_id = $1 AND w.word = candidate.word
         AND NOT EXISTS (SELECT FROM note_terms t WHERE t.workspace_id = $1 AND t.term = candidate.term)
       RETURNING w.word
     ), removed AS (
       SELECT array_agg(DISTINCT word) AS words, array_agg(DISTINCT trigram) AS trigrams
       FROM unused, unnest(show_trgm(word)) AS trigram
     ), stored AS MATERIALIZED (
       SELECT trigram, block, ARRAY(SELECT word FROM unnest(g.words) AS word WHERE word <> ALL (removed.words)) AS remaining
       FROM note_trigrams g, removed
       WHERE g.workspace_id = $1 AND g.trigram = ANY (removed.trigrams) AND g.words && removed.words
     ), emptied AS (
       DELETE FROM note_trigrams g USING stored
       WHERE g.workspace_id = $1 AND g.trigram = stored.trigram AND g.block = stored.block AND remaining = '{}'
     )
     UPDATE note_trigrams g SET words = remaining FROM stored
     WHERE g.workspace_id = $1 AND g.trigram = stored.trigram AND g.block = stored.block AND remaining <> '{}'`,
    [tx.workspace, candidates, candidates.map(word => tokenize(word)[0] ?? word)],
  );
}

const NOTES_PER_WINDOW = 500;
/** Notes are long, and each is indexed again. */
const MAX_CHANGED_NOTES = 10;

interface MentioningNote {
  readonly id: string;
  readonly title: string;
  readonly date: string;
  readonly content: string;
  readonly participants: unknown;
  readonly source: string;
  readonly external_id: string | null;
}

/**
 * Removes mentions of the person from notes on others and indexes these again. The event `note.redacted` has their
 * vectors made again.
 */
export const noteMentionsPhase: ErasurePhase = {
  name: 'mentions in notes',
  run: async (tx, person, cursor) => {
    const end = await findWindowEnd(tx, 'note_log', cursor, NOTES_PER_WINDOW);
    if (end === null) return { cursor: null, counts: {} };
    const notes = await readMentioning(tx, person, cursor, end);
    let redacted = 0;
    for (const note of notes) if (await redactNote(tx, person, note)) redacted++;
    const isCut = notes.length === MAX_CHANGED_NOTES;
    return { cursor: isCut ? notes.at(-1)!.id : end, counts: { notes_redacted: redacted } };
  },
};

function readMentioning(
  tx: Tx,
  { ids, matcher }: ErasedPerson,
  after: string | null,
  end: string,
): Promise<MentioningNote[]> {
  return tx.query<MentioningNote>(
    `SELECT id, title, date::text AS date, content, participants, source, external_id FROM note_log
     WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id > $2) AND id <= $3 AND entity_id <> ALL ($4)
       AND (title ~* $5 OR content ~* $5 OR participants::text ~* $5 OR source ~* $5 OR external_id ~* $5)
     ORDER BY id LIMIT ${MAX_CHANGED_NOTES}`,
    [tx.workspace, after, end, ids, matcher.prefilter],
  );
}

async function redactNote(tx: Tx, { matcher }: ErasedPerson, note: MentioningNote): Promise<boolean> {
  const title = redactNullable(matcher, note.title);
  const content = redactNullable(matcher, note.content);
  const participants = redactValue(matcher, note.participants);
  const source = redactNullable(matcher, note.source);
  const hasMention = note.external_id !== null && matcher.isPartOf(note.external_id);
  const external_id = hasMention ? `erased:${note.id}` : note.external_id;
  const isTextSame = title === note.title && content === note.content;
  if (isTextSame && participants === note.participants && source === note.source && !hasMention) return false;
  const passages = findPassageSpans(content);
  await tx.query(
    `UPDATE note_log SET title = $3, content = $4, participants = $5, source = $6, external_id = $7, passages = $8
     WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, note.id, title, content, JSON.stringify(participants), source, external_id, passages.length],
  );
  if (isTextSame) return true;
  await deleteNoteIndex(tx, [note.id]);
  await deleteUnusedWords(tx, listWords([note]), listWords([{ title, content }]));
  await indexNote(tx, note.id, { title, date: note.date, content }, passages);
  tx.emit({ type: 'note.redacted', payload: { note_id: note.id } });
  return true;
}
