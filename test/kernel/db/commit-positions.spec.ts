import { ALIGN_COMMIT_BASE, COMMIT_HORIZON, COMMIT_POSITION } from '#kernel/db/commit-positions.js';
import { settleCommits } from '../../support/database/commit-order.js';
import { startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;

beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub?.end());

const read = async (sql: string) =>
  BigInt((await hub.database.pool.query<{ value: string }>(`SELECT (${sql})::text AS value`)).rows[0]!.value);

it('grows with every transaction, and the horizon follows', async () => {
  const first = await read(COMMIT_POSITION);
  expect(await read(COMMIT_POSITION)).toBeGreaterThan(first);
  await settleCommits(hub);
  expect(await read(COMMIT_HORIZON)).toBeGreaterThan(first);
});

it('keeps its base at a start on the same server', async () => {
  const base = await read('commit_base()');
  await hub.database.pool.query(ALIGN_COMMIT_BASE);
  expect(await read('commit_base()')).toBe(base);
});

it('is higher than before on another server, which counts its transactions from another number', async () => {
  const before = await read(COMMIT_POSITION);
  await hub.database.pool.query(`COMMENT ON FUNCTION commit_base() IS '1/1'`);
  await hub.database.pool.query(`
    CREATE OR REPLACE FUNCTION commit_base() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT ${before - (1n << 32n)}::bigint'`);
  await hub.database.pool.query(ALIGN_COMMIT_BASE);
  const base = await read('commit_base()');
  expect(base).toBeGreaterThan(before);
  await hub.database.pool.query(ALIGN_COMMIT_BASE);
  expect(await read('commit_base()')).toBe(base);
});
