import type { Tx } from './transaction.js';
import type { RunOptions, UnitOfWork } from './unit-of-work.js';

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
  options: RunOptions = {},
): Promise<T> {
  if (!isRehearsal) return work.run(workspace, write, options);
  const undone = async (tx: Tx): Promise<T> => {
    throw new Undone(await write(tx));
  };
  try {
    return await work.run(workspace, undone, options);
  } catch (error) {
    if (error instanceof Undone) return error.answer as T;
    throw error;
  }
}
