import type { Tx } from '#kernel/db/transaction.js';
/** Collects the values of a composed statement as parameters, so that none is read as SQL. */
export class SqlParams {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder with a type cast. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/** Returns parameters of a statement whose `$1` is the workspace. */
export function bindWorkspace(tx: Tx): SqlParams {
  const params = new SqlParams();
  params.add(tx.workspace, 'uuid');
  return params;
}
