import type pg from 'pg';

/** Destroys the socket of a connection: the server rolls back its transaction and waiting statements fail. */
export function destroyConnection(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
