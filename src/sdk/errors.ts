/** Identify errors across several copies of this package in one process, which `instanceof` cannot. */
const TOOL_BRAND = Symbol.for('rapport:tool-error');
const PERMANENT_BRAND = Symbol.for('rapport:permanent-error');
const RETRY_BRAND = Symbol.for('rapport:retry-later');
const UNREACHABLE_BRAND = Symbol.for('rapport:unreachable');

/**
 * An error whose message is shown to the model. Say what is wrong, what to change, which tool returns a missing ID,
 * and whether a retry helps. Any other error of a handler reaches the model as one generic sentence.
 * @example throw new ToolError('No booking has the uid "abc". Call calcom_list_bookings to see existing bookings.');
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly [TOOL_BRAND] = true;
}

/**
 * An error that a retry cannot fix: the job becomes a dead letter at once. The message is shown to the workspace, so
 * it must not contain secrets.
 * @example throw new PermanentError('The calendar has been deleted at the provider.');
 */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  readonly [PERMANENT_BRAND] = true;
}

/**
 * Retries the job after this delay instead of its own backoff. Only the tenth and later deferrals in a row count as
 * attempts, so waiting for a rate limit does not exhaust the attempts of the job.
 * @example if (response.status === 429) throw new RetryLater(Number(response.headers['retry-after'] ?? 60) * 1000);
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly [RETRY_BRAND] = true;

  /** @param afterMs delay in milliseconds, at most one day */
  constructor(
    readonly afterMs: number,
    message = `retry requested in ${afterMs} ms`,
  ) {
    super(message);
  }
}

/**
 * A request of `hub.http` got no response: no connection, a timeout, or an address that plugins may not call.
 * @example catch (error) { if (isUnreachable(error)) return { outcome: 'unreachable', message: error.message }; throw error; }
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly [UNREACHABLE_BRAND] = true;
}

/**
 * Checks whether an error is a {@link ToolError} from any copy of this package.
 * @example if (isToolError(error)) return failed(error.message);
 */
export function isToolError(error: unknown): error is ToolError {
  return error instanceof Error && TOOL_BRAND in error;
}

/**
 * Checks whether an error is a {@link PermanentError} from any copy of this package.
 * @example if (isPermanentError(error)) deadLetter(job, error.message);
 */
export function isPermanentError(error: unknown): error is PermanentError {
  return error instanceof Error && PERMANENT_BRAND in error;
}

/**
 * Checks whether an error is a {@link RetryLater} from any copy of this package.
 * @example if (isRetryLater(error)) postpone(job, error.afterMs);
 */
export function isRetryLater(error: unknown): error is RetryLater {
  return error instanceof Error && RETRY_BRAND in error;
}

/**
 * Checks whether an error is an {@link UnreachableError} from any copy of this package.
 * @example if (isUnreachable(error)) throw new RetryLater(60_000);
 */
export function isUnreachable(error: unknown): error is UnreachableError {
  return error instanceof Error && UNREACHABLE_BRAND in error;
}
