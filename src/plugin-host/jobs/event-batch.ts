import { isRetryLater } from '#sdk/errors.js';
import type { PluginHandler } from '#sdk/handlers.js';

/** Events of a job that failed, each by itself; the others are done. */
export class PartialBatchFailureError extends Error {
  /** @param failedIndexes of those that failed */
  constructor(
    readonly failedIndexes: readonly number[],
    cause: unknown,
  ) {
    super('Events that were gathered have failed.', { cause });
  }
}

/**
 * Hands events over that were gathered: together, and each by itself when that fails.
 * @param signal aborts when the time is up: what was not tried by then has failed
 * @throws SomeFailed when not all of those that were tried by themselves are done; the very error of a single one, and of
 *   a handler that asks to be called later
 */
export async function deliverBatch(
  events: readonly unknown[],
  { batched }: Pick<PluginHandler, 'batched'>,
  call: (first: unknown) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (batched) return void (await call(events));
  } catch (error) {
    if (events.length === 1 || isRetryLater(error) || signal.aborted) throw error;
  }
  const failedIndexes: number[] = [];
  let cause: unknown;
  for (const [index, event] of events.entries()) {
    try {
      signal.throwIfAborted();
      await call(batched ? [event] : event);
    } catch (error) {
      failedIndexes.push(index);
      cause = error;
    }
  }
  if (failedIndexes.length > 0) throw new PartialBatchFailureError(failedIndexes, cause);
}
