/**
 * Signals that an entity was merged or unmerged between its look-up and its lock. Has the SQLSTATE of a serialization
 * failure, so that the unit of work retries the transaction.
 */
export class ClusterChangedError extends Error {
  readonly code = '40001';

  constructor() {
    super('an entity was merged or unmerged while the transaction waited for it');
  }
}
