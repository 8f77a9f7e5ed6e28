import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Tx } from '#kernel/db/transaction.js';

/**
 * Passages of a workspace up to which all of them are compared: about a millisecond per thousand, and nothing missed.
 * An index over all workspaces at once finds too little for any one of them, so a larger one gets an index of its own.
 */
export const EXACT_SEARCH_LIMIT = 20_000;

/** Longest vector that an HNSW index takes. Longer ones are compared one by one in a large workspace too. */
const MAX_INDEXED_DIMENSIONS = 2_000;

/** The distance of a kept vector from a wanted one, 0 to 2, in the words that an index is made with. */
export function distanceSql(dims: number, wanted: string): string {
  return `(embedding::vector(${dims})) <=> ${wanted}::vector(${dims})`;
}

/** Length of the vectors that want an index: the workspace is large and has none. */
export async function findUnindexedDimensions(tx: Tx, embedder: string): Promise<number | undefined> {
  const [row] = await tx.query<{ dims: number }>(
    `SELECT vector_dims(v.embedding) AS dims FROM note_statistics s
     CROSS JOIN LATERAL (
       SELECT embedding FROM note_vectors WHERE workspace_id = $1 AND embedder = $2 LIMIT 1) AS v
     WHERE s.workspace_id = $1 AND s.passages > ${EXACT_SEARCH_LIMIT} AND vector_dims(v.embedding) <= ${MAX_INDEXED_DIMENSIONS}
       AND NOT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass($3) AND indisvalid)`,
    [tx.workspace, embedder, indexName(tx.workspace, embedder)],
  );
  return row?.dims;
}

/**
 * Makes the index of a workspace, beside searches and writes, as the owner of the table: nobody else may. The rows of
 * other workspaces are not in it, so row-level security takes nothing away from what it finds. What a process that died
 * has left half made is made anew; what another one is making is left to it. Indexes of other embedders are dropped.
 */
export async function createVectorIndex(
  pool: pg.Pool,
  workspace: string,
  embedder: string,
  dims: number,
): Promise<void> {
  const name = indexName(workspace, embedder);
  const { rows } = await pool.query<{ name: string }>(
    `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = 'note_vectors'::regclass AND starts_with(c.relname, $1)
       AND (c.relname <> $2 OR NOT i.indisvalid)
       AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid)`,
    [indexPrefix(workspace), name],
  );
  for (const old of rows) await pool.query(`DROP INDEX CONCURRENTLY IF EXISTS ${old.name}`);
  await pool.query(
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON note_vectors
     USING hnsw ((embedding::vector(${dims})) vector_cosine_ops)
     WHERE workspace_id = ${pg.escapeLiteral(workspace)} AND embedder = ${pg.escapeLiteral(embedder)}`,
  );
}

function indexPrefix(workspace: string): string {
  return `note_vectors_${workspace.replaceAll('-', '')}_`;
}

function indexName(workspace: string, embedder: string): string {
  return indexPrefix(workspace) + createHash('sha256').update(embedder).digest('hex').slice(0, 12);
}
