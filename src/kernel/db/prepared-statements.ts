import { types } from 'node:util';
import type pg from 'pg';

/** SQLSTATEs of an unknown and of a duplicate prepared statement. */
const STATEMENT_LOST_SQLSTATES = new Set(['26000', '42P05']);

/**
 * Decides for each connection whether prepared statements can be used. Behind a pooler in transaction mode they
 * cannot: the next transaction may run on another server. Such a pooler announces process IDs of its own at the start
 * of a session. So a session whose server reports the announced process ID is connected to one server directly.
 */
export class PreparedStatementSupport {
  private readonly directConnections = new WeakSet<pg.PoolClient>();
  private isEnabled = true;

  /** Records the process that serves a connection. */
  observeBackend(client: pg.PoolClient, backend: number): void {
    if ((client as unknown as { processID: number }).processID === backend) this.directConnections.add(client);
    else this.directConnections.delete(client);
  }

  /** Returns whether named statements are safe on this connection. */
  isSafeOn(client: pg.PoolClient): boolean {
    return this.isEnabled && this.directConnections.has(client);
  }

  /**
   * Disables named statements for all connections if `error` shows that a pooler is in between.
   * @returns whether it does.
   */
  isStatementLost(error: unknown): boolean {
    const isLost = types.isNativeError(error) && 'code' in error && STATEMENT_LOST_SQLSTATES.has(String(error.code));
    if (isLost) this.isEnabled = false;
    return isLost;
  }
}
