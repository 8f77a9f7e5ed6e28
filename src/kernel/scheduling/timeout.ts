/** Thrown by {@link withTimeout} when the time is up. */
export class TimeoutError extends Error {}

/** What `work` gives, or {@link TimeoutError} after `ms` milliseconds; the work itself is not stopped. */
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

/** True if `work` ends, well or badly, within `ms` milliseconds. */
export async function settlesWithin(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true,
  );
  return withTimeout(timeoutMs, ended, 'it').catch(() => false);
}
