import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { EmbeddingResult, Embedder } from '#kernel/llm/embedder.js';
import {
  unembeddedPassages,
  dropOtherModels,
  hasOtherModels,
  saveVectors,
  type PassageText,
  readNotePassages,
} from './vectors.queries.js';

const BATCH_SIZE = 64;
const BATCH_TIMEOUT_MS = 30_000;

/**
 * Gives every passage of a workspace that has none its vector, and drops those of other embedders. Batch by batch, none
 * of them within a transaction that waits for the embedder. Reads all passages of the workspace.
 * @returns how many were made, and the id that they have.
 * @throws EmbedderFailed.
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
    const kept = await embedAndSave(work, workspace, embedder, passages);
    // From here on another model answers, to whose vectors the ones before are of no use.
    last = kept.id === id ? passages.at(-1) : undefined;
    id = kept.id;
    made += passages.length;
    onProgress(made);
  }
}

/**
 * Gives the passages of one note their vectors, anew where they have them.
 * @returns their id, and whether the workspace has vectors of another one.
 * @throws EmbedderFailed.
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
  const kept = id;
  return kept === undefined
    ? undefined
    : { id: kept, hasOthers: await work.run(workspace, tx => hasOtherModels(tx, kept)) };
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
