import type { Tx } from '#kernel/db/transaction.js';
import type { FoundNote } from '../search.queries.js';

/** A passage that has no vector of the embedder yet. */
export interface BarePassage {
  readonly note_id: string;
  readonly place: number;
  /** Title, date and text. */
  readonly text: string;
}

/** A note by its passage that comes nearest to a question. */
export interface NearNote extends Omit<FoundNote, 'score' | 'ideal'> {
  /** Cosine similarity, -1 to 1. */
  readonly cosine: number;
}

/** Passages without a vector of `embedder`, at most `limit`. */
export function barePassages(tx: Tx, embedder: string, limit: number): Promise<BarePassage[]> {
  return tx.query<BarePassage>(
    `SELECT c.note_id, c.place, n.title || E'\\n' || n.date || E'\\n' || c.text AS text
     FROM note_chunks c JOIN notes n ON n.workspace_id = $1 AND n.id = c.note_id
     WHERE c.workspace_id = $1 AND NOT EXISTS (
       SELECT FROM note_vectors v
       WHERE v.workspace_id = $1 AND v.embedder = $2 AND v.note_id = c.note_id AND v.place = c.place)
     LIMIT $3`,
    [tx.workspace, embedder, limit],
  );
}

/** Keeps vectors of passages; those that another process has kept meanwhile stay. */
export async function keepVectors(
  tx: Tx,
  embedder: string,
  passages: readonly BarePassage[],
  vectors: readonly (readonly number[])[],
): Promise<void> {
  await tx.query(
    `INSERT INTO note_vectors (workspace_id, embedder, note_id, place, embedding)
     SELECT $1, $2, note_id, place, embedding::vector
     FROM unnest($3::uuid[], $4::smallint[], $5::text[]) AS kept (note_id, place, embedding) ON CONFLICT DO NOTHING`,
    [
      tx.workspace,
      embedder,
      passages.map(p => p.note_id),
      passages.map(p => p.place),
      vectors.map(v => JSON.stringify(v)),
    ],
  );
}

/** Drops the vectors of other embedders. */
export async function dropOthers(tx: Tx, embedder: string): Promise<void> {
  await tx.query('DELETE FROM note_vectors WHERE workspace_id = $1 AND embedder <> $2', [tx.workspace, embedder]);
}

/** What comes nearest to a vector: the `limit` nearest notes and besides those in `also`. */
export interface NearWish {
  readonly embedder: string;
  readonly vector: readonly number[];
  readonly entityIds: readonly string[] | undefined;
  readonly also: readonly string[];
  readonly limit: number;
}

/** Exact: every passage of the workspace is compared, found by the primary key. About a millisecond per thousand. */
export function nearNotes(tx: Tx, { embedder, vector, entityIds, also, limit }: NearWish): Promise<NearNote[]> {
  return tx.query<NearNote>(
    `WITH best AS (
       SELECT DISTINCT ON (note_id) note_id, place, 1 - (embedding <=> $3::vector) AS cosine FROM note_vectors
       WHERE workspace_id = $1 AND embedder = $2 ORDER BY note_id, embedding <=> $3::vector, place
     ), placed AS (
       SELECT n.id, n.entity_id, n.type, n.title, n.date, best.place, best.cosine,
              row_number() OVER (ORDER BY best.cosine DESC, n.id) AS rank
       FROM best JOIN notes n ON n.workspace_id = $1 AND n.id = best.note_id
       ${entityIds ? 'WHERE n.entity_id = ANY ($6::uuid[])' : ''}
     )
     SELECT p.id, coalesce(e.canonical_id, e.id) AS entity_id, p.type, p.title, p.date::text AS date, c.text, p.cosine
     FROM placed p
     JOIN entities e ON e.workspace_id = $1 AND e.id = p.entity_id
     JOIN note_chunks c ON c.workspace_id = $1 AND c.note_id = p.id AND c.place = p.place
     WHERE p.rank <= $4 OR p.id = ANY ($5::uuid[])`,
    [tx.workspace, embedder, JSON.stringify(vector), limit, also, ...(entityIds ? [entityIds] : [])],
  );
}
