import type pg from 'pg';
import { allowBackup } from '#kernel/db/backup-role.js';

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
