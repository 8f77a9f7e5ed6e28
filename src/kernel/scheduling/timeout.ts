import pTimeout from 'p-timeout';

/** Thrown by {@link withTimeout} after its time limit. */
export class TimeoutError extends Error {}

/** Least time limit that p-timeout accepts, in milliseconds. */
const MIN_TIMEOUT_MS = 1;

/**
 * Returns the result of `work`, or throws {@link TimeoutError} after `timeoutMs` milliseconds; `work` is not
 * cancelled.
 * @param description subject of the error message
 */
export function withTimeout<T>(timeoutMs: number, work: Promise<T>, description: string): Promise<T> {
  const fallback = (): never => {
    throw new TimeoutError(`${description} took longer than ${timeoutMs} ms`);
  };
  return pTimeout(work, { milliseconds: Math.max(timeoutMs, MIN_TIMEOUT_MS), fallback });
}

/** Returns whether `work` settles within `timeoutMs` milliseconds. */
export function settlesWithin(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  return pTimeout(settled, { milliseconds: Math.max(timeoutMs, MIN_TIMEOUT_MS), fallback: () => false });
}
