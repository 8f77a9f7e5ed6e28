import { COMMIT_HORIZON, COMMIT_POSITION } from '#kernel/db/commit-positions.js';
import type { TestHub } from '../hub.js';
import { until } from '../until.js';

/** Waits until everything that was committed can be read in the order of commits: other databases of the server write too. */
export async function settleCommits({ database: { pool } }: TestHub): Promise<void> {
  const { rows } = await pool.query<{ position: string }>(`SELECT (${COMMIT_POSITION})::text AS position`);
  await until('earlier transactions have ended', async () => {
    const params = [rows[0]!.position];
    const { rows: found } = await pool.query<{ past: boolean }>(
      `SELECT ${COMMIT_HORIZON} > $1::bigint AS past`,
      params,
    );
    return found[0]!.past;
  });
}
