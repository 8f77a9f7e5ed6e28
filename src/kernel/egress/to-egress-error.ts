import { EgressFailedError, EgressRefusedError } from './egress-errors.js';

/** Circumstances of a failed request. */
export interface SendFailure {
  /** Whether its time limit was exceeded. */
  readonly isTimedOut: boolean;
  /** Whether the caller aborted it. */
  readonly isAborted: boolean;
  readonly timeoutMs: number;
}

/** Converts any failure of a request to an egress error whose message contains no address. */
export function toEgressError(error: unknown, { isTimedOut, isAborted, timeoutMs }: SendFailure): Error {
  const refused = findRefusal(error);
  if (refused) return refused;
  if (error instanceof EgressFailedError) return error;
  if (isAborted) return new EgressFailedError('aborted', 'The request was called off.', { cause: error });
  if (isTimedOut || /timeout/i.test(codeOf(error))) {
    return new EgressFailedError('timeout', `There was no complete response within ${timeoutMs} ms.`, { cause: error });
  }
  return new EgressFailedError('unreachable', `There was no response (${codeOf(error) || 'the connection failed'}).`, {
    cause: error,
  });
}

/** Finds the error of the guarded lookup: if several addresses were tried, it is nested in an AggregateError. */
function findRefusal(error: unknown): EgressRefusedError | undefined {
  if (error instanceof EgressRefusedError) return error;
  const { errors, cause } = (error ?? {}) as { errors?: unknown; cause?: unknown };
  if (Array.isArray(errors)) return errors.map(findRefusal).find(Boolean);
  return cause === undefined ? undefined : findRefusal(cause);
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '');
}
