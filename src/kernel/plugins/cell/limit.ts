/** How long work of a plugin may take. */
export interface Limit {
  readonly timeoutMs: number;
  /** Aborts when nobody waits for it any more. */
  readonly outer?: AbortSignal | undefined;
}

/** Work of a plugin was not done in its time. */
export class OutOfTime extends Error {}

/**
 * Runs work with a signal that aborts after `timeoutMs` or with the outer signal, and does not wait any longer then.
 * What goes on all the same is left to itself, and what it throws later is nobody's.
 * @throws OutOfTime, or the reason of the outer signal
 */
export async function limited<T>({ timeoutMs, outer }: Limit, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const late = () => limit.abort(new OutOfTime(`it took longer than ${timeoutMs} ms`));
  const timer = setTimeout(late, timeoutMs);
  const gone = () => limit.abort(outer?.reason);
  outer?.addEventListener('abort', gone, { once: true });
  if (outer?.aborted) gone();
  const aborted = new Promise<never>((_, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error), { once: true });
    if (limit.signal.aborted) reject(limit.signal.reason as Error);
  });
  const done = work(limit.signal);
  try {
    return await Promise.race([done, aborted]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', gone);
    done.catch(() => undefined);
    aborted.catch(() => undefined);
  }
}
