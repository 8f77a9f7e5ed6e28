import { types } from 'node:util';
import type pg from 'pg';

/** The server knows no statement of this name; it knows one already that the driver has not told it. */
const MISLAID = new Set(['26000', '42P05']);

/**
 * Whether the server at the other end may keep statements by name. A pooler in transaction mode may not be asked to:
 * the next transaction can meet another server. Such a pooler gives away process ids of its own at the start of a
 * session, so a session whose server says that it is the process that was announced stands on one server for good.
 */
export class KeptStatements {
  private readonly direct = new WeakSet<pg.PoolClient>();
  private allowed = true;

  /** Takes note of which process answers on a connection. */
  met(client: pg.PoolClient, backend: number): void {
    if ((client as unknown as { processID: number }).processID === backend) this.direct.add(client);
    else this.direct.delete(client);
  }

  /** Whether statements may be named on this connection. */
  on(client: pg.PoolClient): boolean {
    return this.allowed && this.direct.has(client);
  }

  /** Names no statement any more if `error` tells that somebody stands between after all. @returns whether it does. */
  mislaid(error: unknown): boolean {
    const told = types.isNativeError(error) && 'code' in error && MISLAID.has(String(error.code));
    if (told) this.allowed = false;
    return told;
  }
}
