import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { Embedder } from '#kernel/llm/embedder.js';
import { type BarePassage, barePassages, dropOthers, keepVectors } from './vectors.queries.js';

const BATCH = 64;
const BATCH_MS = 30_000;

/**
 * Gives every passage of a workspace that has none its vector, and drops those of other embedders. Batch by batch, none
 * of them within a transaction that waits for the embedder.
 * @returns how many were made.
 * @throws EmbedderFailed.
 */
export async function fillVectors(
  work: UnitOfWork,
  workspace: string,
  embedder: Embedder,
  onProgress: (made: number) => void = () => undefined,
): Promise<number> {
  let last: BarePassage | undefined;
  for (let made = 0; ;) {
    const passages = await work.run(workspace, tx => barePassages(tx, embedder.id, last, BATCH));
    if (passages.length === 0) {
      await work.run(workspace, tx => dropOthers(tx, embedder.id));
      return made;
    }
    const vectors = await embedder.embed(
      passages.map(({ text }) => text),
      BATCH_MS,
    );
    await work.run(workspace, tx => keepVectors(tx, embedder.id, passages, vectors));
    last = passages.at(-1);
    made += passages.length;
    onProgress(made);
  }
}
