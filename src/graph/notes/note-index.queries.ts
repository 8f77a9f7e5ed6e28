import type pg from 'pg';
import { NIL } from 'uuid';
import { buildIndexTerms, type NoteHeader, listSpellableWords } from '#domain/notes/passages.js';
import type { Tx } from '#kernel/db/transaction.js';
import { flatMapYielding } from '#kernel/scheduling/cooperative-scheduler.js';

/** Work units per character, for stemming, normalizing and looking up its word. */
const UNITS_PER_CHARACTER = 16;

/** The count of a term in a passage, and the passage's length in tokens. */
export interface TermRow {
  readonly note_id: string;
  readonly position: number;
  readonly term: string;
  readonly count: number;
  readonly length: number;
}

/** Builds the index terms of a note's passages, yielding to other requests between them. */
export function toTermRows(noteId: string, head: NoteHeader, passages: readonly string[]): Promise<TermRow[]> {
  const rowsOf = (passage: string, position: number): TermRow[] => {
    const { counts, length } = buildIndexTerms(passage, head);
    return [...counts].map(([term, count]) => ({ note_id: noteId, position, term, count, length }));
  };
  return flatMapYielding(passages, rowsOf, ({ length }) => length * UNITS_PER_CHARACTER);
}

/** Returns the total number of tokens of the passages in these rows. */
export function countTokens(rows: readonly TermRow[]): number {
  const lengths = new Map(rows.map(({ note_id, position, length }) => [`${note_id} ${position}`, length]));
  return [...lengths.values()].reduce((sum, length) => sum + length, 0);
}

/** Saves the passages of a note with their terms and words. Sent with COMMIT. */
export async function indexNote(tx: Tx, noteId: string, head: NoteHeader, passages: readonly string[]): Promise<void> {
  const rows = await toTermRows(noteId, head, passages);
  tx.deferToCommit(
    `INSERT INTO note_chunks (workspace_id, note_id, position, text)
     SELECT $1, $2, n - 1, text FROM unnest($3::text[]) WITH ORDINALITY AS passage (text, n)`,
    [tx.workspace, noteId, passages],
  );
  saveTerms(tx, rows);
  const words = await flatMapYielding(
    [head.title, ...passages],
    listSpellableWords,
    ({ length }) => length * UNITS_PER_CHARACTER,
  );
  saveWords(tx, [...new Set(words)].toSorted());
  addPassageCounts(tx, passages.length, countTokens(rows));
}

/** Inserts term rows. Sent with COMMIT. */
export function saveTerms(tx: Tx, rows: readonly TermRow[]): void {
  tx.deferToCommit(
    `INSERT INTO note_terms (workspace_id, note_id, position, term, count, length)
     SELECT $1, * FROM unnest($2::uuid[], $3::smallint[], $4::text[], $5::smallint[], $6::smallint[])`,
    [
      tx.workspace,
      rows.map(r => r.note_id),
      rows.map(r => r.position),
      rows.map(r => r.term),
      rows.map(r => r.count),
      rows.map(r => r.length),
    ],
  );
}

/**
 * Saves words and their trigrams for spelling correction. The caller sorts the words, so that two notes with the same new
 * words wait for each other instead of deadlocking. Sent with COMMIT.
 */
export function saveWords(tx: Tx, words: readonly string[]): void {
  tx.deferToCommit(
    `WITH fresh AS (
       INSERT INTO note_words (workspace_id, word) SELECT $1, word FROM unnest($2::text[]) AS word
       ON CONFLICT DO NOTHING RETURNING word
     )
     INSERT INTO note_trigrams (workspace_id, trigram, word)
     SELECT $1, trigram, word FROM fresh, unnest(show_trgm(word)) AS trigram`,
    [tx.workspace, words],
  );
}

/** Adds to the workspace's number of passages and tokens. Sent with COMMIT. */
export function addPassageCounts(tx: Tx, passages: number, tokens: number): void {
  tx.deferToCommit(
    `INSERT INTO note_statistics AS s (workspace_id, passages, tokens) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id) DO UPDATE SET passages = s.passages + $2, tokens = s.tokens + $3`,
    [tx.workspace, passages, tokens],
  );
}

/** A note with its indexed passages in order. */
export interface IndexedNote extends NoteHeader {
  readonly id: string;
  readonly passages: readonly string[];
}

/** Reads the next notes in ID order. @param after last ID of the previous page. */
export function readNotesToIndex(tx: Tx, after: string | undefined, limit: number): Promise<IndexedNote[]> {
  return tx.query<IndexedNote>(
    `SELECT n.id, n.title, n.date::text AS date, p.passages FROM (
       SELECT id, title, date FROM notes WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3) AS n
     CROSS JOIN LATERAL (
       SELECT coalesce(array_agg(text ORDER BY position), '{}') AS passages
       FROM note_chunks WHERE workspace_id = $1 AND note_id = n.id) AS p
     ORDER BY n.id`,
    [tx.workspace, after ?? NIL, limit],
  );
}

/** Reads the stored terms of these notes. */
export function readTerms(tx: Tx, noteIds: readonly string[]): Promise<TermRow[]> {
  return tx.query<TermRow>(
    `SELECT note_id, position, term, count, length FROM note_terms
     WHERE workspace_id = $1 AND note_id = ANY ($2::uuid[])`,
    [tx.workspace, noteIds],
  );
}

/** Deletes the terms of these notes; the caller inserts new ones in the same transaction. */
export async function deleteTerms(tx: Tx, noteIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM note_terms WHERE workspace_id = $1 AND note_id = ANY ($2::uuid[])', [
    tx.workspace,
    noteIds,
  ]);
}

/**
 * Runs `work` with a temporary index of terms by note. Searches look terms up by term only, so a permanent index would
 * only slow down saving notes.
 */
export async function withTermsByNoteIndex<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  await pool.query('DROP INDEX CONCURRENTLY IF EXISTS note_terms_by_note');
  await pool.query('CREATE INDEX CONCURRENTLY note_terms_by_note ON note_terms (workspace_id, note_id)');
  return work().finally(() => pool.query('DROP INDEX CONCURRENTLY IF EXISTS note_terms_by_note'));
}
