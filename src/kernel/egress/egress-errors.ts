import { redactDeep, type Redactor } from './redactor.js';

/** Thrown if the destination may not be called. The message gives the reason and reveals nothing about the target. */
export class EgressRefusedError extends Error {
  override readonly name = 'EgressRefused';
}

/** Reason why there is no usable response. */
export type EgressFault = 'unreachable' | 'timeout' | 'too_large' | 'aborted';

/** Thrown if an allowed request got no usable response. */
export class EgressFailedError extends Error {
  override readonly name = 'EgressFailed';

  constructor(
    readonly fault: EgressFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

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

const MAX_DEPTH = 5;

/**
 * Removes secrets from a thrown value. Returns the same value if it contains none; otherwise a copy of the same class
 * with the same symbols, whose message, stack, fields and causes are redacted.
 */
export function redactError(redact: Redactor, thrown: unknown): unknown {
  let found = false;
  const trackingRedactor: Redactor = text => {
    const clean = redact(text);
    found ||= clean !== text;
    return clean;
  };
  const clean = copyRedacted(trackingRedactor, thrown, 0);
  return found ? clean : thrown;
}

function copyRedacted(redact: Redactor, value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return depth > MAX_DEPTH ? [] : value.map(item => copyRedacted(redact, item, depth + 1));
  if (!(value instanceof Error)) return redactDeep(redact, value);
  if (depth > MAX_DEPTH) return '[deeper]';
  const copy = Object.create(Object.getPrototypeOf(value) as object) as object;
  for (const key of Reflect.ownKeys(value)) {
    const held: unknown = Reflect.get(value, key);
    const enumerable = Object.prototype.propertyIsEnumerable.call(value, key);
    const own = typeof key === 'symbol' ? held : copyRedacted(redact, held, depth + 1);
    Object.defineProperty(copy, key, { value: own, enumerable, writable: true, configurable: true });
  }
  return copy;
}
