import { HubError } from '#kernel/errors/errors.js';

/** What went wrong, for the person at the terminal: no stack, and nothing of the address but what failed. */
export function sentenceOf(error: unknown): string {
  if (error instanceof HubError) return [error.detail ?? error.code, reasonOf(error.cause)].filter(Boolean).join(' ');
  if (!(error instanceof Error)) return String(error);
  return unreachable(error) ?? error.message;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? `(${unreachable(cause) ?? cause.message})` : '';
}

/** A refused connection arrives without a message when a name has several addresses. */
function unreachable(error: Error): string | undefined {
  const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const refused = reasons.find(reason => reason instanceof Error && 'syscall' in reason);
  return refused instanceof Error ? `The database cannot be reached: ${refused.message}.` : undefined;
}
