import { EgressFailedError, EgressRefusedError } from './egress-errors.js';

/** What is known of the moment that a request failed in. */
export interface SendFailure {
  /** Its time was up. */
  readonly isTimedOut: boolean;
  /** The one who wanted it no longer does. */
  readonly isAborted: boolean;
  readonly timeoutMs: number;
}

/** Gives whatever a request failed with its place among our errors, without addresses in the message. */
export function toEgressError(error: unknown, { isTimedOut, isAborted, timeoutMs }: SendFailure): Error {
  const refused = findRefusal(error);
  if (refused) return refused;
  if (error instanceof EgressFailedError) return error;
  if (isAborted) return new EgressFailedError('aborted', 'The request was called off.', { cause: error });
  if (isTimedOut || /timeout/i.test(codeOf(error))) {
    return new EgressFailedError('timeout', `There was no complete answer within ${timeoutMs} ms.`, { cause: error });
  }
  return new EgressFailedError('unreachable', `There was no answer (${codeOf(error) || 'the connection failed'}).`, {
    cause: error,
  });
}

/** With several addresses tried, the refusal of the resolver is inside of what they failed with together. */
function findRefusal(error: unknown): EgressRefusedError | undefined {
  if (error instanceof EgressRefusedError) return error;
  const { errors, cause } = (error ?? {}) as { errors?: unknown; cause?: unknown };
  if (Array.isArray(errors)) return errors.map(findRefusal).find(Boolean);
  return cause === undefined ? undefined : findRefusal(cause);
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '');
}
