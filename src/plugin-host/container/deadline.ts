import pTimeout from 'p-timeout';

/** Limits how long work of a plugin may take. */
export interface Deadline {
  readonly timeoutMs: number;
  /** Aborts when the caller no longer waits. */
  readonly parentSignal?: AbortSignal | undefined;
}

/** Work of a plugin exceeded its time limit. */
export class HandlerTimeoutError extends Error {}

/**
 * Runs work with a signal that aborts after `timeoutMs` or together with the parent signal, and then stops waiting.
 * Work that ignores the signal continues in the background, and its later errors are discarded.
 * @throws HandlerTimeoutError after `timeoutMs`, or the reason of the parent signal
 */
export async function withDeadline<T>(
  { timeoutMs, parentSignal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const signal = parentSignal ? AbortSignal.any([parentSignal, controller.signal]) : controller.signal;
  const onTimeout = (): never => {
    const error = new HandlerTimeoutError(`it took longer than ${timeoutMs} ms`);
    controller.abort(error);
    throw error;
  };
  return pTimeout(work(signal), {
    milliseconds: timeoutMs,
    fallback: onTimeout,
    ...(parentSignal && { signal: parentSignal }),
  });
}
