import { types } from 'node:util';
import type { Transaction } from './transaction.js';

/** What the server says of a statement that took longer than it may. */
const QUERY_CANCELED_SQLSTATE = '57014';

/**
 * Runs one read that may take long, and gives it up after a while: then the transaction goes on as if it had not been
 * asked. Nothing else of the transaction may be under way. @returns undefined when it was given up.
 */
export async function withStatementTimeout<T>(
  tx: Transaction,
  timeoutMs: number,
  read: () => Promise<T>,
): Promise<T | undefined> {
  const [, , outcome] = await Promise.allSettled([
    tx.query('SAVEPOINT statement_timeout'),
    tx.query("SELECT set_config('statement_timeout', $1, true)", [String(timeoutMs)]),
    read(),
  ]);
  // The way it ends also takes the setting back.
  await tx.query('ROLLBACK TO SAVEPOINT statement_timeout');
  if (outcome.status === 'fulfilled') return outcome.value;
  if (isQueryCanceled(outcome.reason)) return undefined;
  throw outcome.reason;
}

function isQueryCanceled(error: unknown): boolean {
  return types.isNativeError(error) && 'code' in error && error.code === QUERY_CANCELED_SQLSTATE;
}
