const NETWORK_SYSCALLS = new Set(['connect', 'getaddrinfo', 'read', 'write']);

/**
 * Why the database server cannot be reached, as its system says it; undefined when something else went wrong. A refused
 * connection arrives without a message of its own when a name has several addresses.
 */
export function findConnectionErrorReason(error: unknown): string | undefined {
  const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const refused = reasons.find(
    reason => reason instanceof Error && 'syscall' in reason && NETWORK_SYSCALLS.has(String(reason.syscall)),
  );
  return refused instanceof Error ? refused.message : undefined;
}
