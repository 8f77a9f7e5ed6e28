/**
 * An entity was merged or unmerged between the moment it was found and the moment it was locked. Bears the SQLSTATE of
 * a serialisation failure, which it is: the unit of work runs the transaction again.
 */
export class ClusterChangedError extends Error {
  readonly code = '40001';

  constructor() {
    super('an entity was merged or unmerged while the transaction waited for it');
  }
}
