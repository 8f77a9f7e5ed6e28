/** Thrown by {@link within} when the time is up. */
export class TookTooLong extends Error {}

/** What `work` gives, or {@link TookTooLong} after `ms` milliseconds; the work itself is not stopped. */
export async function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TookTooLong(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

/** True if `work` ends, well or badly, within `ms` milliseconds. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true,
  );
  return within(ms, ended, 'it').catch(() => false);
}
