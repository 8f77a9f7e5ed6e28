import { createHash } from 'node:crypto';
import pg from 'pg';
import { allowBackup } from '#kernel/db/roles.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Advisory lock ("VECT" in ASCII): processes that start together wait for the first one. */
const LOCK_KEY = 0x56454354;

const MISSING_PGVECTOR_MESSAGE =
  'EMBEDDINGS_URL is set, but this PostgreSQL has no pgvector: install it, or unset EMBEDDINGS_URL.';

const statements = [
  'CREATE EXTENSION IF NOT EXISTS vector',
  `CREATE TABLE note_vectors (
     workspace_id uuid NOT NULL,
     embedder text NOT NULL,
     note_id uuid NOT NULL,
     position smallint NOT NULL,
     embedding vector NOT NULL,
     PRIMARY KEY (workspace_id, embedder, note_id, position)
   )`,
  'ALTER TABLE note_vectors ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY',
  'CREATE POLICY tenant ON note_vectors TO rapport_app, rapport_eraser USING (workspace_id = current_workspace())',
  'GRANT SELECT, INSERT, DELETE ON note_vectors TO rapport_app',
  ...allowBackup('note_vectors'),
  'GRANT SELECT, DELETE ON note_vectors TO rapport_eraser',
];

/**
 * Creates the table of vectors, which only installations with an embedder have. Idempotent.
 * @throws Error that names the fix, if the database has no pgvector.
 */
export async function createVectorSchema(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const { rows } = await client.query<{ table_exists: boolean; available: boolean }>(
      `SELECT to_regclass('note_vectors') IS NOT NULL AS table_exists,
              EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS available`,
    );
    const { table_exists, available } = rows[0]!;
    if (!available) throw new Error(MISSING_PGVECTOR_MESSAGE);
    for (const statement of table_exists ? [] : statements) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/**
 * Number of passages of a workspace up to which vectors are compared exhaustively, at about 1 ms per thousand. Larger
 * workspaces get an index of their own, because an index over all workspaces finds too few results for any one.
 */
export const EXACT_SEARCH_LIMIT = 20_000;

/** Maximum number of dimensions of an HNSW index. Longer vectors are always compared exhaustively. */
const MAX_INDEXED_DIMENSIONS = 2_000;

/** Returns SQL of the cosine distance (0 to 2) of a stored vector, in the exact form that the index matches. */
export function distanceSql(dims: number, vector: string): string {
  return `(embedding::vector(${dims})) <=> ${vector}::vector(${dims})`;
}

/** Returns the dimensions of a workspace's vectors if it is large enough for an index and has none. */
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
 * Creates the vector index of a workspace concurrently, as the owner of the table. It contains only rows of the
 * workspace, so row-level security filters nothing out of its results. An invalid index of a process that died is
 * replaced; one that another process is building is left alone. Drops the indexes of other embedders.
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
