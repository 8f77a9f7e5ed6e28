/** Survive two copies of this package in one process, which `instanceof` does not. */
const TOOL_BRAND = Symbol.for('rapport:tool-error');
const PERMANENT_BRAND = Symbol.for('rapport:permanent-error');
const RETRY_BRAND = Symbol.for('rapport:retry-later');
const UNREACHABLE_BRAND = Symbol.for('rapport:unreachable');

/**
 * An error whose message is meant for a model: what is wrong, what to change, which tool gives a missing id,
 * and whether a retry helps. Any other error of a handler reaches the model as one fixed sentence.
 * @example throw new ToolError('No booking has the uid "abc". calcom_list_bookings gives those that exist.');
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly [TOOL_BRAND] = true;
}

/**
 * Trying again cannot help: the job is parked at once. Its message is shown to the workspace, so it must hold no
 * secret.
 * @example throw new PermanentError('The calendar has been deleted at the provider.');
 */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  readonly [PERMANENT_BRAND] = true;
}

/**
 * Try the job again after this long, however long its own backoff is. It counts as a try only from the tenth in a
 * row on, so waiting for a rate limit does not use the job's attempts up.
 * @example if (answer.status === 429) throw new RetryLater(Number(answer.headers['retry-after'] ?? 60) * 1000);
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly [RETRY_BRAND] = true;

  /** @param afterMs pause in milliseconds; at most a day is waited */
  constructor(
    readonly afterMs: number,
    message = `asked to be tried again in ${afterMs} ms`,
  ) {
    super(message);
  }
}

/**
 * A request of `hub.http` got no answer: no connection, no answer in time, or an address that plugins may not reach.
 * @example catch (error) { if (isUnreachable(error)) return { outcome: 'unreachable', message: error.message }; throw error; }
 */
export class UnreachableError extends Error {
  override readonly name = 'Unreachable';
  readonly [UNREACHABLE_BRAND] = true;
}

/**
 * Whether something thrown is a {@link ToolError}, of this copy of the package or of another.
 * @example if (isToolError(error)) return failed(error.message);
 */
export function isToolError(error: unknown): error is ToolError {
  return error instanceof Error && TOOL_BRAND in error;
}

/**
 * Whether something thrown is a {@link PermanentError}, of this copy of the package or of another.
 * @example if (isPermanentError(error)) park(job, error.message);
 */
export function isPermanentError(error: unknown): error is PermanentError {
  return error instanceof Error && PERMANENT_BRAND in error;
}

/**
 * Whether something thrown is a {@link RetryLater}, of this copy of the package or of another.
 * @example if (isRetryLater(error)) postpone(job, error.afterMs);
 */
export function isRetryLater(error: unknown): error is RetryLater {
  return error instanceof Error && RETRY_BRAND in error;
}

/**
 * Whether something thrown is {@link UnreachableError}, of this copy of the package or of another.
 * @example if (isUnreachable(error)) throw new RetryLater(60_000);
 */
export function isUnreachable(error: unknown): error is UnreachableError {
  return error instanceof Error && UNREACHABLE_BRAND in error;
}
