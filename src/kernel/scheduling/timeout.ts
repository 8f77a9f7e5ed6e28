/** Thrown by {@link withTimeout} after its time limit. */
export class TimeoutError extends Error {}

/**
 * Returns the result of `work`, or throws {@link TimeoutError} after `timeoutMs` milliseconds; `work` is not
 * cancelled.
 * @param description subject of the error message
 */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>, description: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`${description} took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

/** Returns whether `work` settles within `timeoutMs` milliseconds. */
export async function settlesWithin(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true,
  );
  return withTimeout(timeoutMs, ended, 'it').catch(() => false);
}
