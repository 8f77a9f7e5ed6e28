import type pg from 'pg';
import { NIL } from 'uuid';
import type { NoteHeader } from '#domain/notes/index-terms.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { TermRow } from './note-index.queries.js';

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
