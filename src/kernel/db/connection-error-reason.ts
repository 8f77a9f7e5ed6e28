const NETWORK_SYSCALLS = new Set(['connect', 'getaddrinfo', 'read', 'write']);

/**
 * Returns the system's message if the database server cannot be reached; undefined for any other error. If a host
 * name has several addresses, Node reports an AggregateError without a message of its own.
 */
export function findConnectionErrorReason(error: unknown): string | undefined {
  const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const refused = reasons.find(
    reason => reason instanceof Error && 'syscall' in reason && NETWORK_SYSCALLS.has(String(reason.syscall)),
  );
  return refused instanceof Error ? refused.message : undefined;
}
