import { EgressFailed, EgressRefused } from './egress-errors.js';

/** What is known of the moment that a request failed in. */
export interface FailedSend {
  /** Its time was up. */
  readonly late: boolean;
  /** The one who wanted it no longer does. */
  readonly calledOff: boolean;
  readonly timeoutMs: number;
}

/** Gives whatever a request failed with its place among our errors, without addresses in the message. */
export function asEgressError(error: unknown, { late, calledOff, timeoutMs }: FailedSend): Error {
  const refused = refusalIn(error);
  if (refused) return refused;
  if (error instanceof EgressFailed) return error;
  if (calledOff) return new EgressFailed('aborted', 'The request was called off.', { cause: error });
  if (late || /timeout/i.test(codeOf(error))) {
    return new EgressFailed('timeout', `There was no complete answer within ${timeoutMs} ms.`, { cause: error });
  }
  return new EgressFailed('unreachable', `There was no answer (${codeOf(error) || 'the connection failed'}).`, {
    cause: error,
  });
}

/** With several addresses tried, the refusal of the resolver is inside of what they failed with together. */
function refusalIn(error: unknown): EgressRefused | undefined {
  if (error instanceof EgressRefused) return error;
  const { errors, cause } = (error ?? {}) as { errors?: unknown; cause?: unknown };
  if (Array.isArray(errors)) return errors.map(refusalIn).find(Boolean);
  return cause === undefined ? undefined : refusalIn(cause);
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '');
}
