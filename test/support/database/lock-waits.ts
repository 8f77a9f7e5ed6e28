import type pg from 'pg';

/**
 * How many sessions of the database wait for a lock.
 * @param pool never the connection that holds the lock: inside a transaction the server shows that view as it was when
 *   it was first read.
 */
export async function waitingForLocks(pool: pg.Pool): Promise<number> {
  const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  return (await pool.query(waiting)).rowCount ?? 0;
}
