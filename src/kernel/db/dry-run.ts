import type { Tx } from './transaction.js';
import type { RunOptions, UnitOfWork } from './unit-of-work.js';

/** Carries the result of a dry run out of the transaction that it rolls back. */
class DryRunRollbackError<T> extends Error {
  constructor(readonly result: T) {
    super('a dry run is rolled back');
  }
}

/** Runs a write. A dry run executes it completely and rolls it back, so that its result is exact. */
export async function runMaybeDry<T>(
  work: UnitOfWork,
  workspace: string,
  isDryRun: boolean,
  write: (tx: Tx) => Promise<T>,
  options: RunOptions = {},
): Promise<T> {
  if (!isDryRun) return work.run(workspace, write, options);
  const writeAndRollBack = async (tx: Tx): Promise<T> => {
    throw new DryRunRollbackError(await write(tx));
  };
  try {
    return await work.run(workspace, writeAndRollBack, options);
  } catch (error) {
    if (error instanceof DryRunRollbackError) return error.result as T;
    throw error;
  }
}
