import type { Database } from '#kernel/db/database.js';
import { Embedder, type EmbedderSettings } from '#kernel/llm/embedder.js';
import { fillVectors } from './fill-vectors.js';
import { dimsWithoutIndex, makeIndex } from './vectors.index.js';
import { countBare, dropOf } from './vectors.queries.js';
import { prepareVectors } from './vectors.schema.js';

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
  { pool, work }: Database,
  workspace: string,
  settings: EmbedderSettings,
  { anew, dryRun, onProgress }: VectorsWish,
): Promise<number> {
  await prepareVectors(pool);
  const embedder = new Embedder(settings);
  if (dryRun) return work.run(workspace, tx => countBare(tx, anew ? '' : embedder.id));
  if (anew) await work.run(workspace, tx => dropOf(tx, embedder.id));
  const made = await fillVectors(work, workspace, embedder, onProgress);
  const dims = await work.run(workspace, tx => dimsWithoutIndex(tx, embedder.id));
  if (dims !== undefined) await makeIndex(pool, workspace, embedder.id, dims);
  return made;
}
