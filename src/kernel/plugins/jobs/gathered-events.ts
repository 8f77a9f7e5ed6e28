import { isRetryLater } from '#sdk/errors.js';
import type { PluginHandler } from '#sdk/handlers.js';

/** Events of a job that failed, each by itself; the others are done. */
export class SomeFailed extends Error {
  /** @param places of those that failed */
  constructor(
    readonly places: readonly number[],
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
export async function handOver(
  events: readonly unknown[],
  { gathers }: Pick<PluginHandler, 'gathers'>,
  call: (first: unknown) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (gathers) return void (await call(events));
  } catch (error) {
    if (events.length === 1 || isRetryLater(error) || signal.aborted) throw error;
  }
  const failed: number[] = [];
  let cause: unknown;
  for (const [place, event] of events.entries()) {
    try {
      signal.throwIfAborted();
      await call(gathers ? [event] : event);
    } catch (error) {
      failed.push(place);
      cause = error;
    }
  }
  if (failed.length > 0) throw new SomeFailed(failed, cause);
}
