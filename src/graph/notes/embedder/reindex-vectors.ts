import type { Database } from '#kernel/db/database.js';
import { EgressClient } from '#kernel/egress/egress.client.js';
import { Embedder, embedderAccess, type EmbedderOptions } from '#kernel/llm/embedder.js';
import { backfillEmbeddings } from './backfill-embeddings.js';
import { findUnindexedDimensions, createVectorIndex } from './vectors.index.js';
import { countUnembedded, dropModel } from './vectors.queries.js';
import { createVectorSchema } from './vectors.schema.js';

const TIMEOUT_MS = 30_000;

/** An embedder ID without vectors, so every passage counts as unembedded. */
const NO_EMBEDDER = '';

/** Options of reindexing vectors. */
export interface ReindexVectorsOptions {
  /** Also replaces existing vectors, for a model that changed behind the same name. */
  readonly rebuildAll: boolean;
  /** Counts missing vectors without creating them. */
  readonly dryRun: boolean;
  readonly onProgress?: (made: number) => void;
}

/**
 * Embeds the passages of a workspace with the configured embedder and creates the vector index if it is needed.
 * @returns the number of vectors created, or that a dry run would create.
 * @throws EmbedderError; Error if PostgreSQL has no pgvector.
 */
export async function reindexVectors(
  database: Database,
  workspace: string,
  settings: EmbedderOptions,
  options: ReindexVectorsOptions,
): Promise<number> {
  await createVectorSchema(database.pool);
  const egress = new EgressClient(embedderAccess(settings));
  try {
    return await reindexBy(new Embedder(egress, settings), database, workspace, options);
  } finally {
    await egress.close();
  }
}

async function reindexBy(
  embedder: Embedder,
  { pool, work }: Database,
  workspace: string,
  { rebuildAll, dryRun, onProgress }: ReindexVectorsOptions,
): Promise<number> {
  if (dryRun && rebuildAll) return work.run(workspace, tx => countUnembedded(tx, NO_EMBEDDER));
  const current = await embedder.getId(TIMEOUT_MS);
  if (dryRun) return work.run(workspace, tx => countUnembedded(tx, current));
  if (rebuildAll) await work.run(workspace, tx => dropModel(tx, current));
  const { made, id } = await backfillEmbeddings(work, workspace, embedder, onProgress);
  const dims = await work.run(workspace, tx => findUnindexedDimensions(tx, id));
  if (dims !== undefined) await createVectorIndex(pool, workspace, id, dims);
  return made;
}
