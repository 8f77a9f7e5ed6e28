import type { Tx } from '#kernel/db/transaction.js';
import { type PreparedQuery, prepare } from '#kernel/db/prepared-query.js';

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

/** Maximum number of prepared statements. The server keeps each until the session ends, so they are not replaced. */
const MAX_STATEMENTS = 64;

/**
 * Prepares statements that a service composes, because planning costs as much as running them. The first texts are
 * prepared, which are the frequent ones; later ones are planned each time. The server plans a prepared statement for
 * its values until it finds that a generic plan is as good.
 */
export class StatementCache {
  private readonly statements = new Map<string, PreparedQuery>();

  /** Returns a composed statement as a prepared one, or its text if the cache is full. */
  get(text: string): string | PreparedQuery {
    const cached = this.statements.get(text);
    if (cached) return cached;
    if (this.statements.size >= MAX_STATEMENTS) return text;
    const statement = prepare(text);
    this.statements.set(text, statement);
    return statement;
  }
}
