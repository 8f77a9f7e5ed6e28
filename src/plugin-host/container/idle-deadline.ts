import { HandlerTimeoutError } from './deadline.js';

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
