import { NIL } from 'uuid';
import type { Tx } from '#kernel/db/transaction.js';
import type { EmbeddingResult } from '#kernel/llm/embedder.js';
import { PASSAGE_TEXT_SQL } from '../note-index.queries.js';
import type { NoteMatch } from '../search.queries.js';
import { distanceSql } from './vectors.schema.js';

/** A passage to embed. */
export interface PassageText {
  readonly note_id: string;
  readonly position: number;
  /** Title, date and text. */
  readonly text: string;
}

/** A note with its passage nearest to a question. */
export interface NearestNote extends Omit<NoteMatch, 'score' | 'ideal'> {
  /** Cosine similarity, -1 to 1. */
  readonly cosine: number;
}

const PASSAGES_SQL = `SELECT c.note_id, c.position, n.title || E'\\n' || n.date || E'\\n' || ${PASSAGE_TEXT_SQL} AS text
  FROM note_chunks c JOIN notes n ON n.workspace_id = $1 AND n.id = c.note_id WHERE c.workspace_id = $1`;

/** Reads the passages of a note in order. */
export function readNotePassages(tx: Tx, noteId: string): Promise<PassageText[]> {
  return tx.query<PassageText>(`${PASSAGES_SQL} AND c.note_id = $2 ORDER BY c.position`, [tx.workspace, noteId]);
}

/** Reads at most `limit` passages after `after` that have no vector of `embedder`. */
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

/** Saves vectors of passages. Vectors that another process has saved meanwhile are kept. */
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

/** Counts the passages without a vector of `embedder`. */
export async function countUnembedded(tx: Tx, embedder: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM note_chunks c
     WHERE c.workspace_id = $1 AND NOT EXISTS (
       SELECT FROM note_vectors v
       WHERE v.workspace_id = $1 AND v.embedder = $2 AND v.note_id = c.note_id AND v.position = c.position)`,
    [tx.workspace, embedder],
  );
  return row!.count;
}

/** Returns whether the workspace has vectors of another embedder. The cost does not depend on their number. */
export async function hasOtherModels(tx: Tx, embedder: string): Promise<boolean> {
  const end = (order: string) =>
    `(SELECT embedder FROM note_vectors WHERE workspace_id = $1 ORDER BY embedder ${order} LIMIT 1)`;
  const [row] = await tx.query<{ first: string | null; last: string | null }>(
    `SELECT ${end('ASC')} AS first, ${end('DESC')} AS last`,
    [tx.workspace],
  );
  return [row!.first, row!.last].some(each => each !== null && each !== embedder);
}

/** Deletes the vectors of an embedder. */
export async function dropModel(tx: Tx, embedder: string): Promise<void> {
  await tx.query('DELETE FROM note_vectors WHERE workspace_id = $1 AND embedder = $2', [tx.workspace, embedder]);
}

/** Deletes the vectors of all other embedders. */
export async function dropOtherModels(tx: Tx, embedder: string): Promise<void> {
  await tx.query('DELETE FROM note_vectors WHERE workspace_id = $1 AND embedder <> $2', [tx.workspace, embedder]);
}

/** Selects the `limit` notes nearest to a vector, and in addition those in `includeIds`. */
export interface NearestNotesQuery {
  readonly embedder: string;
  readonly vector: readonly number[];
  readonly entityIds: readonly string[] | undefined;
  readonly includeIds: readonly string[];
  readonly limit: number;
}

/** Maximum number of passages that are grouped into notes; also `hnsw.ef_search` of an index scan. */
const MAX_NEAR_PASSAGES = 400;

/**
 * Finds the notes nearest to a vector. With `entityIds`, and in workspaces too small for an index (see
 * vectors.index.ts), every passage is compared. The statement is not prepared, so that the planner sees the parameter
 * values and can choose the partial index of the workspace.
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

/** Builds the statement that groups passages into notes. @param passages SQL that selects note_id, position, distance. */
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
           ${PASSAGE_TEXT_SQL} AS text, p.cosine
    FROM located p
    JOIN notes n ON n.workspace_id = $1 AND n.id = p.note_id
    JOIN entities e ON e.workspace_id = $1 AND e.id = n.entity_id
    JOIN note_chunks c ON c.workspace_id = $1 AND c.note_id = p.note_id AND c.position = p.position
    WHERE p.rank <= $4 OR p.note_id = ANY ($5::uuid[])`;
}
