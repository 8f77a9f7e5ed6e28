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
