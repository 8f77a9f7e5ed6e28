import { NIL } from 'uuid';
import type { Tx } from '#kernel/db/transaction.js';
import type { EmbeddingResult } from '#kernel/llm/embedder.js';
import type { NoteMatch } from '../search.queries.js';
import { distanceSql } from './vectors.index.js';

/** A passage as it is embedded. */
export interface PassageText {
  readonly note_id: string;
  readonly position: number;
  /** Title, date and text. */
  readonly text: string;
}

/** A note by its passage that comes nearest to a question. */
export interface NearestNote extends Omit<NoteMatch, 'score' | 'ideal'> {
  /** Cosine similarity, -1 to 1. */
  readonly cosine: number;
}

const PASSAGES_SQL = `SELECT c.note_id, c.position, n.title || E'\\n' || n.date || E'\\n' || c.text AS text
  FROM note_chunks c JOIN notes n ON n.workspace_id = $1 AND n.id = c.note_id WHERE c.workspace_id = $1`;

/** The passages of a note. */
export function readNotePassages(tx: Tx, noteId: string): Promise<PassageText[]> {
  return tx.query<PassageText>(`${PASSAGES_SQL} AND c.note_id = $2 ORDER BY c.position`, [tx.workspace, noteId]);
}

/** Passages without a vector of `embedder` that come behind `after`, at most `limit`. */
export function unembeddedPassages(
  tx: Tx,
  embedder: string,
  after: PassageText | undefined,
  limit: number,
): Promise<PassageText[]> {
  return tx.query<PassageText>(
    `${PASSAGES_SQL} AND (c.note_id, c.position) > ($4::uuid, $5::smallint) AND NOT EXISTS (
       SELECT FROM note_vectors v
       WHERE v.workspace_id = $1 AND v.embedder = $2 AND v.note_id = c.note_id AND v.position = c.position)
     ORDER BY c.note_id, c.position LIMIT $3`,
    [tx.workspace, embedder, limit, after?.note_id ?? NIL, after?.position ?? -1],
  );
}

/** Keeps vectors of passages; those that another process has kept meanwhile stay. */
export async function saveVectors(
  tx: Tx,
  passages: readonly PassageText[],
  { id, vectors }: EmbeddingResult,
): Promise<void> {
  await tx.query(
    `INSERT INTO note_vectors (workspace_id, embedder, note_id, position, embedding)
     SELECT $1, $2, note_id, position, embedding::vector
     FROM unnest($3::uuid[], $4::smallint[], $5::text[]) AS passage (note_id, position, embedding) ON CONFLICT DO NOTHING`,
    [
      tx.workspace,
      id,
      passages.map(p => p.note_id),
      passages.map(p => p.position),
      vectors.map(v => JSON.stringify(v)),
    ],
  );
}

/** How many passages have no vector of `embedder`. */
export async function countUnembedded(tx: Tx, embedder: string): Promise<number> {
  const [row] = await tx.query<{ bare: number }>(
    `SELECT count(*)::int AS bare FROM note_chunks c
     WHERE c.workspace_id = $1 AND NOT EXISTS (
       SELECT FROM note_vectors v
       WHERE v.workspace_id = $1 AND v.embedder = $2 AND v.note_id = c.note_id AND v.position = c.position)`,
    [tx.workspace, embedder],
  );
  return row!.bare;
}

/** Whether the workspace has vectors of another embedder. Costs the same however many it has. */
export async function hasOtherModels(tx: Tx, embedder: string): Promise<boolean> {
  const end = (order: string) =>
    `(SELECT embedder FROM note_vectors WHERE workspace_id = $1 ORDER BY embedder ${order} LIMIT 1)`;
  const [row] = await tx.query<{ first: string | null; last: string | null }>(
    `SELECT ${end('ASC')} AS first, ${end('DESC')} AS last`,
    [tx.workspace],
  );
  return [row!.first, row!.last].some(each => each !== null && each !== embedder);
}

/** Drops the vectors of an embedder. */
export async function dropModel(tx: Tx, embedder: string): Promise<void> {
  await tx.query('DELETE FROM note_vectors WHERE workspace_id = $1 AND embedder = $2', [tx.workspace, embedder]);
}

/** Drops the vectors of other embedders. */
export async function dropOtherModels(tx: Tx, embedder: string): Promise<void> {
  await tx.query('DELETE FROM note_vectors WHERE workspace_id = $1 AND embedder <> $2', [tx.workspace, embedder]);
}

/** What comes nearest to a vector: the `limit` nearest notes and besides those in `also`. */
export interface NearestNotesQuery {
  readonly embedder: string;
  readonly vector: readonly number[];
  readonly entityIds: readonly string[] | undefined;
  readonly includeIds: readonly string[];
  readonly limit: number;
}

/** Passages that are looked at before they are put together to notes, and how many of an index are visited for them. */
const MAX_NEAR_PASSAGES = 400;

/**
 * The notes that come nearest to a vector. Of some entities' notes every passage is compared, and so it is for
 * everybody's until the workspace is large enough for an index (see {@link ./vectors.index.ts}). Values go with the
 * text, unnamed, so that the planner sees whether an index holds just this workspace.
 */
export async function findNearestNotes(
  tx: Tx,
  { embedder, vector, entityIds, includeIds, limit }: NearestNotesQuery,
): Promise<NearestNote[]> {
  const values = [tx.workspace, embedder, JSON.stringify(vector), limit, includeIds, ...(entityIds ? [entityIds] : [])];
  const [, notes] = await Promise.all([
    tx.query(`SELECT set_config('hnsw.ef_search', '${MAX_NEAR_PASSAGES}', true)`),
    tx.query<NearestNote>(nearestSql(entityIds ? ENTITY_PASSAGES_SQL : workspacePassagesSql(vector.length)), values),
  ]);
  return notes;
}

function workspacePassagesSql(dims: number): string {
  const distance = distanceSql(dims, '$3');
  return `SELECT note_id, position, ${distance} AS distance FROM note_vectors
    WHERE workspace_id = $1 AND embedder = $2 ORDER BY ${distance} LIMIT ${MAX_NEAR_PASSAGES}`;
}

const ENTITY_PASSAGES_SQL = `SELECT v.note_id, v.position, v.embedding <=> $3::vector AS distance
  FROM notes n JOIN note_vectors v ON v.workspace_id = $1 AND v.embedder = $2 AND v.note_id = n.id
  WHERE n.workspace_id = $1 AND n.entity_id = ANY ($6::uuid[])`;

/** @param passages a query for `note_id`, `position` and `distance`. */
function nearestSql(passages: string): string {
  return `WITH near AS MATERIALIZED (${passages}), best AS (
      SELECT DISTINCT ON (note_id) note_id, position, 1 - distance AS cosine FROM (
        SELECT * FROM near
        UNION ALL
        SELECT further.id, v.position, v.embedding <=> $3::vector FROM unnest($5::uuid[]) AS further (id) CROSS JOIN LATERAL (
          SELECT position, embedding FROM note_vectors
          WHERE workspace_id = $1 AND embedder = $2 AND note_id = further.id OFFSET 0) AS v
      ) AS passage ORDER BY note_id, distance, position
    ), located AS (
      SELECT *, row_number() OVER (ORDER BY cosine DESC, note_id) AS rank FROM best
    )
    SELECT n.id, coalesce(e.canonical_id, e.id) AS entity_id, n.type, n.title, n.date::text AS date, n.source,
           c.text, p.cosine
    FROM located p
    JOIN notes n ON n.workspace_id = $1 AND n.id = p.note_id
    JOIN entities e ON e.workspace_id = $1 AND e.id = n.entity_id
    JOIN note_chunks c ON c.workspace_id = $1 AND c.note_id = p.note_id AND c.position = p.position
    WHERE p.rank <= $4 OR p.note_id = ANY ($5::uuid[])`;
}
