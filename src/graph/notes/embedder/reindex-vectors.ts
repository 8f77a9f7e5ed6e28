import type { Database } from '#kernel/db/database.js';
import { EgressClient } from '#kernel/egress/egress.client.js';
import { Embedder, embedderAccess, type EmbedderSettings } from '#kernel/llm/embedder.js';
import { fillVectors } from './fill-vectors.js';
import { dimsWithoutIndex, makeIndex } from './vectors.index.js';
import { countBare, dropOf } from './vectors.queries.js';
import { prepareVectors } from './vectors.schema.js';

const TIMEOUT_MS = 30_000;

/** No vector is of this one, so every passage is without. */
const NOBODY = '';

/** What is wanted of the vectors. */
export interface VectorsWish {
  /** Also those that are there already, because the model behind the address has changed and its name has not. */
  readonly anew: boolean;
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
  settings: EmbedderSettings,
  wish: VectorsWish,
): Promise<number> {
  await prepareVectors(database.pool);
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
  { anew, dryRun, onProgress }: VectorsWish,
): Promise<number> {
  if (dryRun && anew) return work.run(workspace, tx => countBare(tx, NOBODY));
  const current = await embedder.identify(TIMEOUT_MS);
  if (dryRun) return work.run(workspace, tx => countBare(tx, current));
  if (anew) await work.run(workspace, tx => dropOf(tx, current));
  const { made, id } = await fillVectors(work, workspace, embedder, onProgress);
  const dims = await work.run(workspace, tx => dimsWithoutIndex(tx, id));
  if (dims !== undefined) await makeIndex(pool, workspace, id, dims);
  return made;
}
