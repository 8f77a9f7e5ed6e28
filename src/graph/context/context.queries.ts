import type { NotePassage } from '#domain/context/other-candidates.js';
import { snippetOf } from '#domain/text/snippet.js';
import { queryTermsOf } from '#domain/text/question.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { searchTerms } from '../notes/search.queries.js';

/** Notes that are looked at. */
const NOTES = 8;

/** What context shows of a note. */
const SNIPPET = 200;

/** As of when notes are read; undefined: as they are. */
export interface NotesHorizon {
  readonly asOf: Instant | undefined;
  readonly knownAt: Instant | undefined;
}

/** The newest notes of these entities, with how they begin. One statement, which reads no more than that. */
export async function readNewestNotes(
  tx: Tx,
  entityIds: readonly string[],
  { asOf, knownAt }: NotesHorizon,
): Promise<NotePassage[]> {
  const rows = await tx.query<NotePassage>(
    `SELECT n.id, n.entity_id, n.type, n.title, n.date::text AS date, n.source, left(n.content, ${SNIPPET * 4}) AS snippet
     FROM notes n
     WHERE n.workspace_id = $1 AND n.entity_id = ANY ($2::uuid[])
       AND n.date <= coalesce($3::timestamptz AT TIME ZONE 'UTC', 'infinity')
       AND n.created_at <= coalesce($4::timestamptz, 'infinity')
     ORDER BY n.date DESC, n.id DESC LIMIT ${NOTES}`,
    [tx.workspace, entityIds, isoOrNull(asOf), isoOrNull(knownAt)],
  );
  return rows.map(row => ({ ...row, snippet: snippetOf(row.snippet, new Map(), SNIPPET) }));
}

/** The notes of these entities that come nearest to a task, each with the passage that does. One statement. */
export async function findNotes(tx: Tx, entityIds: readonly string[], task: string): Promise<NotePassage[]> {
  const terms = queryTermsOf(task);
  const weights = new Map(terms.map(({ token, weight }) => [token, weight]));
  const found = await searchTerms(tx, terms, { entityIds, limit: NOTES });
  return found.map(({ id, entity_id, type, title, date, source, text }) => ({
    id,
    entity_id,
    type,
    title,
    date,
    source,
    snippet: snippetOf(text, weights, SNIPPET),
  }));
}

function isoOrNull(instant: Instant | undefined): string | null {
  return instant === undefined ? null : toIso(instant);
}
