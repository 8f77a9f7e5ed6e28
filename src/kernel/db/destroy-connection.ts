import type pg from 'pg';

/** Cuts a connection: the server rolls back what runs on it, and the statements that wait for it fail. */
export function destroyConnection(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
