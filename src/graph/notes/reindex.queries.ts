import type pg from 'pg';
import { NIL } from 'uuid';
import type { NoteHeader } from '#domain/notes/index-terms.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { TermRow } from './note-index.queries.js';

/** A note with the passages that it is found by, in their order. */
export interface IndexedNote extends NoteHeader {
  readonly id: string;
  readonly passages: readonly string[];
}

/** The next notes by their ids. */
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

/** What is kept of the terms of these notes. */
export function readTerms(tx: Tx, noteIds: readonly string[]): Promise<TermRow[]> {
  return tx.query<TermRow>(
    `SELECT note_id, position, term, count, length FROM note_terms
     WHERE workspace_id = $1 AND note_id = ANY ($2::uuid[])`,
    [tx.workspace, noteIds],
  );
}

/** Takes the terms of these notes away, to be made anew in the same transaction. */
export async function deleteTerms(tx: Tx, noteIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM note_terms WHERE workspace_id = $1 AND note_id = ANY ($2::uuid[])', [
    tx.workspace,
    noteIds,
  ]);
}

/**
 * Runs `work` while terms can be found by their note. Searches find them by term only, so for the rest of the time such
 * an index would only slow the saving of notes down.
 */
export async function withTermsByNoteIndex<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  await pool.query('DROP INDEX CONCURRENTLY IF EXISTS note_terms_by_note');
  await pool.query('CREATE INDEX CONCURRENTLY note_terms_by_note ON note_terms (workspace_id, note_id)');
  return work().finally(() => pool.query('DROP INDEX CONCURRENTLY IF EXISTS note_terms_by_note'));
}
