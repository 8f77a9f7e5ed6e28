import { StatisticsRefresher } from '#kernel/db/statistics.refresher.js';
import type pg from 'pg';
import { type FreshPool, freshPool } from '../../support/database/pool.js';
import { until } from '../../support/until.js';

let fresh: FreshPool;
let pool: pg.Pool;

beforeAll(async () => {
  fresh = await freshPool(4);
  ({ pool } = fresh);
  await pool.query('CREATE TABLE growing (n int) WITH (autovacuum_enabled = off)');
});
afterAll(() => fresh?.drop());

const knownRows = async () =>
  Number((await pool.query("SELECT reltuples FROM pg_class WHERE oid = 'growing'::regclass")).rows[0].reltuples);
/** Inserts rows, and waits until the server has counted them. */
async function insert(count: number): Promise<void> {
  const counted = async () =>
    Number(
      (await pool.query("SELECT n_live_tup AS n FROM pg_stat_user_tables WHERE relname = 'growing'")).rows[0]?.n ?? 0,
    );
  const before = await counted();
  await pool.query('INSERT INTO growing SELECT generate_series(1, $1)', [count]);
  await until('the rows are counted', async () => (await counted()) >= before + count);
}

describe('StatisticsRefresher', () => {
  it('analyzes a table that has grown, and none that has not', async () => {
    const refresher = new StatisticsRefresher({ pool });
    await insert(5_000);
    expect(await refresher.refresh()).toContain('growing');
    expect(await knownRows()).toBe(5_000);
    await insert(400);
    expect(await refresher.refresh()).not.toContain('growing');
    await insert(1_500);
    expect(await refresher.refresh()).toContain('growing');
    expect(await knownRows()).toBe(6_900);
  });

  it('leaves the work to the process that is at it', async () => {
    await insert(20_000);
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [0x72_61_70_73]);
    expect(await new StatisticsRefresher({ pool }).refresh()).toEqual([]);
    await client.query('COMMIT');
    client.release();
    expect(await new StatisticsRefresher({ pool }).refresh()).toContain('growing');
  });
});
