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
  const onTimeout = () => controller.abort(new HandlerTimeoutError(`it took longer than ${timeoutMs} ms`));
  const timer = setTimeout(onTimeout, timeoutMs);
  const onParentAbort = () => controller.abort(parentSignal?.reason);
  parentSignal?.addEventListener('abort', onParentAbort, { once: true });
  if (parentSignal?.aborted) onParentAbort();
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true });
    if (controller.signal.aborted) reject(controller.signal.reason as Error);
  });
  const done = work(controller.signal);
  try {
    return await Promise.race([done, aborted]);
  } finally {
    clearTimeout(timer);
    parentSignal?.removeEventListener('abort', onParentAbort);
    done.catch(() => undefined);
    aborted.catch(() => undefined);
  }
}
