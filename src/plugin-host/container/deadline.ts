/** How long work of a plugin may take. */
export interface Deadline {
  readonly timeoutMs: number;
  /** Aborts when nobody waits for it any more. */
  readonly parentSignal?: AbortSignal | undefined;
}

/** Work of a plugin was not done in its time. */
export class HandlerTimeoutError extends Error {}

/**
 * Runs work with a signal that aborts after `timeoutMs` or with the outer signal, and does not wait any longer then.
 * What goes on all the same is left to itself, and what it throws later is nobody's.
 * @throws OutOfTime, or the reason of the outer signal
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
