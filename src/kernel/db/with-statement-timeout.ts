import { types } from 'node:util';
import type { Transaction } from './transaction.js';

/** SQLSTATE of a statement that exceeded its timeout. */
const QUERY_CANCELED_SQLSTATE = '57014';

/**
 * Runs a read with a time limit. After a timeout the transaction continues as if the read had not been sent. No other
 * statement of the transaction may be in flight.
 * @param timeoutMs time limit in milliseconds.
 * @returns the result of `read`, or undefined after a timeout.
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
  // Rolling back also restores the previous timeout.
  await tx.query('ROLLBACK TO SAVEPOINT statement_timeout');
  if (outcome.status === 'fulfilled') return outcome.value;
  if (isQueryCanceled(outcome.reason)) return undefined;
  throw outcome.reason;
}

function isQueryCanceled(error: unknown): boolean {
  return types.isNativeError(error) && 'code' in error && error.code === QUERY_CANCELED_SQLSTATE;
}
