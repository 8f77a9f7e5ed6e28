import type { Database } from '#kernel/db/database.js';

/** Counts how often the hub asks its pool for a connection while `work` runs. */
export async function countConnects({ pool }: Database, work: () => Promise<unknown>): Promise<number> {
  const connect = pool.connect.bind(pool);
  let count = 0;
  pool.connect = ((...args: []) => {
    count++;
    return connect(...args);
  }) as typeof pool.connect;
  try {
    await work();
  } finally {
    pool.connect = connect;
  }
  return count;
}
