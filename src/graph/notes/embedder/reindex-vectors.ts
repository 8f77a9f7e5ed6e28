import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type EmbeddingResult, Embedder, embedderAccess, type EmbedderOptions } from '#kernel/llm/embedder.js';
import type { Database } from '#kernel/db/database.js';
import { EgressClient } from '#kernel/egress/egress.client.js';
import {
  unembeddedPassages,
  dropOtherModels,
  hasOtherModels,
  saveVectors,
  type PassageText,
  readNotePassages,
  countUnembedded,
  dropModel,
} from './vectors.queries.js';
import { findUnindexedDimensions, createVectorIndex, createVectorSchema } from './vectors.schema.js';

const BATCH_SIZE = 64;
const BATCH_TIMEOUT_MS = 30_000;

/**
 * Embeds every passage of a workspace that has no vector, and deletes the vectors of other embedders. Works in batches;
 * no transaction waits for the embedder. Reads all passages of the workspace.
 * @returns the number of new vectors, and the embedder's ID.
 * @throws EmbedderError.
 */
export async function backfillEmbeddings(
  work: UnitOfWork,
  workspace: string,
  embedder: Embedder,
  onProgress: (made: number) => void = () => undefined,
): Promise<{ made: number; id: string }> {
  let id = await embedder.getId(BATCH_TIMEOUT_MS);
  let last: PassageText | undefined;
  for (let made = 0; ;) {
    const passages = await work.run(workspace, tx => unembeddedPassages(tx, id, last, BATCH_SIZE));
    if (passages.length === 0) {
      await work.run(workspace, tx => dropOtherModels(tx, id));
      return { made, id };
    }
    const saved = await embedAndSave(work, workspace, embedder, passages);
    // If the embedder's model changed, earlier vectors are not comparable: start over.
    last = saved.id === id ? passages.at(-1) : undefined;
    id = saved.id;
    made += passages.length;
    onProgress(made);
  }
}

/**
 * Embeds the passages of a note.
 * @returns the embedder's ID, and whether the workspace has vectors of another embedder; undefined without passages.
 * @throws EmbedderError.
 */
export async function embedNote(
  work: UnitOfWork,
  workspace: string,
  noteId: string,
  embedder: Embedder,
): Promise<{ id: string; hasOthers: boolean } | undefined> {
  const passages = await work.run(workspace, tx => readNotePassages(tx, noteId));
  let id: string | undefined;
  for (let from = 0; from < passages.length; from += BATCH_SIZE) {
    ({ id } = await embedAndSave(work, workspace, embedder, passages.slice(from, from + BATCH_SIZE)));
  }
  const embedderId = id;
  return embedderId === undefined
    ? undefined
    : { id: embedderId, hasOthers: await work.run(workspace, tx => hasOtherModels(tx, embedderId)) };
}

async function embedAndSave(
  work: UnitOfWork,
  workspace: string,
  embedder: Embedder,
  passages: readonly PassageText[],
): Promise<EmbeddingResult> {
  const embedded = await embedder.embed(
    passages.map(({ text }) => text),
    BATCH_TIMEOUT_MS,
  );
  await work.run(workspace, tx => saveVectors(tx, passages, embedded));
  return embedded;
}

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
