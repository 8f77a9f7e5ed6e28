import { types } from 'node:util';
import type pg from 'pg';

/** The server knows no statement of this name; it knows one already that the driver has not told it. */
const STATEMENT_LOST_SQLSTATES = new Set(['26000', '42P05']);

/**
 * Whether the server at the other end may keep statements by name. A pooler in transaction mode may not be asked to:
 * the next transaction can meet another server. Such a pooler gives away process ids of its own at the start of a
 * session, so a session whose server says that it is the process that was announced stands on one server for good.
 */
export class PreparedStatementSupport {
  private readonly directConnections = new WeakSet<pg.PoolClient>();
  private isEnabled = true;

  /** Takes note of which process answers on a connection. */
  observeBackend(client: pg.PoolClient, backend: number): void {
    if ((client as unknown as { processID: number }).processID === backend) this.directConnections.add(client);
    else this.directConnections.delete(client);
  }

  /** Whether statements may be named on this connection. */
  isSafeOn(client: pg.PoolClient): boolean {
    return this.isEnabled && this.directConnections.has(client);
  }

  /** Names no statement any more if `error` tells that somebody stands between after all. @returns whether it does. */
  isStatementLost(error: unknown): boolean {
    const isLost = types.isNativeError(error) && 'code' in error && STATEMENT_LOST_SQLSTATES.has(String(error.code));
    if (isLost) this.isEnabled = false;
    return isLost;
  }
}
