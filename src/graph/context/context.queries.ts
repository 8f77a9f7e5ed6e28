import type { NotesQueryTime } from '../notes/account-notes.queries.js';
import type { NotePassage } from '#domain/context/entry-candidates.js';
import { extractSnippet } from '#domain/text/snippet.js';
import { buildQueryTerms } from '#domain/text/query-terms.js';
import { toIsoOrNull } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { searchTerms } from '../notes/search.queries.js';

/** Maximum number of notes per query. */
const MAX_NOTES = 8;

/** Maximum length of a note's snippet, in characters. */
const SNIPPET_LENGTH = 200;

/** Reads the newest notes of these entities with their beginnings only. One statement. */
export async function readNewestNotes(
  tx: Tx,
  entityIds: readonly string[],
  { asOf, knownAt }: NotesQueryTime,
): Promise<NotePassage[]> {
  const rows = await tx.query<NotePassage>(
    `SELECT n.id, n.entity_id, n.type, n.title, n.date::text AS date, n.source, left(n.content, ${SNIPPET_LENGTH * 4}) AS snippet
     FROM notes n
     WHERE n.workspace_id = $1 AND n.entity_id = ANY ($2::uuid[])
       AND n.date <= coalesce($3::timestamptz AT TIME ZONE 'UTC', 'infinity')
       AND n.created_at <= coalesce($4::timestamptz, 'infinity')
     ORDER BY n.date DESC, n.id DESC LIMIT ${MAX_NOTES}`,
    [tx.workspace, entityIds, toIsoOrNull(asOf), toIsoOrNull(knownAt)],
  );
  return rows.map(row => ({ ...row, snippet: extractSnippet(row.snippet, new Map(), SNIPPET_LENGTH) }));
}

/** Finds the notes of these entities that match a task best, each with its best passage. One statement. */
export async function findTaskNotes(tx: Tx, entityIds: readonly string[], task: string): Promise<NotePassage[]> {
  const terms = buildQueryTerms(task);
  const weights = new Map(terms.map(({ token, weight }) => [token, weight]));
  const found = await searchTerms(tx, terms, { entityIds, limit: MAX_NOTES });
  return found.map(({ id, entity_id, type, title, date, source, text }) => ({
    id,
    entity_id,
    type,
    title,
    date,
    source,
    snippet: extractSnippet(text, weights, SNIPPET_LENGTH),
  }));
}
