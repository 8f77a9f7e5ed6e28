import {
  isPermanentError,
  isRetryLater,
  isToolError,
  isUnreachable,
  PermanentError,
  RetryLater,
  ToolError,
  UnreachableError,
} from '#sdk/errors.js';

/** An error on its way to another process. */
export interface TransferredError {
  readonly kind: 'tool' | 'permanent' | 'retry' | 'unreachable' | 'other';
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Delay of a retry. */
  readonly afterMs?: number;
}

/** Describes an error so that it can be sent. */
export function toTransferredError(error: unknown): TransferredError {
  if (!(error instanceof Error)) return { kind: 'other', name: 'Error', message: String(error), stack: undefined };
  const { name, message, stack } = error;
  const described = { name, message, stack };
  if (isRetryLater(error)) return { kind: 'retry', ...described, afterMs: error.afterMs };
  if (isToolError(error)) return { kind: 'tool', ...described };
  if (isPermanentError(error)) return { kind: 'permanent', ...described };
  return { kind: isUnreachable(error) ? 'unreachable' : 'other', ...described };
}

/** Makes the error again; errors of the SDK are of their class. */
export function reviveError({ kind, name, message, stack, afterMs = 0 }: TransferredError): Error {
  const error = createError(kind, message, afterMs);
  if (kind === 'other') error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}

function createError(kind: TransferredError['kind'], message: string, afterMs: number): Error {
  if (kind === 'retry') return new RetryLater(afterMs, message);
  if (kind === 'tool') return new ToolError(message);
  if (kind === 'permanent') return new PermanentError(message);
  return kind === 'unreachable' ? new UnreachableError(message) : new Error(message);
}
