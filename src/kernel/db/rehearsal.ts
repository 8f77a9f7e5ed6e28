import type { Tx } from './transaction.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Carries what a rehearsed write would have answered out of the transaction that it undoes. */
class Undone<T> extends Error {
  constructor(readonly answer: T) {
    super('a rehearsed write is taken back');
  }
}

/** Runs a write; as a rehearsal it does everything and keeps nothing, so that its answer is exact. */
export async function perform<T>(
  work: UnitOfWork,
  workspace: string,
  isRehearsal: boolean,
  write: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (!isRehearsal) return work.run(workspace, write);
  try {
    return await work.run(workspace, async tx => {
      throw new Undone(await write(tx));
    });
  } catch (error) {
    if (error instanceof Undone) return error.answer as T;
    throw error;
  }
}
