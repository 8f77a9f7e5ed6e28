import type { Database } from '#kernel/db/database.js';
import { EgressClient } from '#kernel/egress/egress.client.js';
import { Embedder, embedderAccess, type EmbedderOptions } from '#kernel/llm/embedder.js';
import { backfillEmbeddings } from './backfill-embeddings.js';
import { findUnindexedDimensions, createVectorIndex } from './vectors.index.js';
import { countUnembedded, dropModel } from './vectors.queries.js';
import { createVectorSchema } from './vectors.schema.js';

const TIMEOUT_MS = 30_000;

/** No vector is of this one, so every passage is without. */
const NO_EMBEDDER = '';

/** What is wanted of the vectors. */
export interface ReindexVectorsOptions {
  /** Also those that are there already, because the model behind the address has changed and its name has not. */
  readonly rebuildAll: boolean;
  /** Only count what would be made. */
  readonly dryRun: boolean;
  readonly onProgress?: (made: number) => void;
}

/**
 * Gives the passages of a workspace the vectors of the embedder that is set, and the index that they want.
 * @returns how many were made, or would be.
 * @throws EmbedderFailed; Error where PostgreSQL has no pgvector.
 */
export async function reindexVectors(
  database: Database,
  workspace: string,
  settings: EmbedderOptions,
  wish: ReindexVectorsOptions,
): Promise<number> {
  await createVectorSchema(database.pool);
  const egress = new EgressClient(embedderAccess(settings));
  try {
    return await reindexBy(new Embedder(egress, settings), database, workspace, wish);
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
