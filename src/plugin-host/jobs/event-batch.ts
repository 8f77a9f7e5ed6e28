import { isRetryLater } from '#sdk/errors.js';
import type { PluginHandler } from '#sdk/handlers.js';

/** Some events of a batch failed when they were delivered one by one; the others are done. */
export class PartialBatchFailureError extends Error {
  /** @param failedIndexes positions of the failed events in the batch */
  constructor(
    readonly failedIndexes: readonly number[],
    cause: unknown,
  ) {
    super('Some events of a batch failed.', { cause });
  }
}

/**
 * Delivers a batch of events: together, or one by one if that fails or the handler is not batched.
 * @param signal aborts at the deadline; events that were not delivered by then count as failed
 * @throws PartialBatchFailureError when events failed that were delivered one by one; the handler's own error for a
 *   batch of one event, for `RetryLater`, and after the deadline
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
