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

/**
 * Runs work that may take any time, as long as it goes on: with a signal that aborts when `restart` was not called for
 * `idleMs`, and then stops waiting.
 * @throws HandlerTimeoutError after `idleMs` without a call of `restart`
 */
export async function withIdleDeadline<T>(
  idleMs: number,
  work: (signal: AbortSignal, restart: () => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const expired = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new HandlerTimeoutError(`nothing happened for ${idleMs} ms`);
    controller.abort(error);
    expired.reject(error);
  }, idleMs);
  try {
    return await Promise.race([work(controller.signal, () => void timer.refresh()), expired.promise]);
  } finally {
    clearTimeout(timer);
  }
}
