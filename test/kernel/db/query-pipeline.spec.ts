import pg from 'pg';
import { QueryPipeline, encodeParams } from '#kernel/db/query-pipeline.js';
import { typeParsers } from '#kernel/db/pool.js';
import { freshPool } from '../../support/database/pool.js';
import { until } from '../../support/until.js';

let url: string;
let drop: () => Promise<void>;
let pool: pg.Pool;
let client: pg.PoolClient;

beforeAll(async () => void ({ url, pool, drop } = await freshPool(2)));
beforeEach(async () => void (client = await pool.connect()));
afterEach(() => client.release(true));
afterAll(() => drop());

const connectionOf = (of: pg.PoolClient) => (of as unknown as { connection: pg.Connection }).connection;

/** Has statements leave together, and tells what became of each. */
function send(...asked: (Parameters<QueryPipeline['enqueue']>[0] | string)[]) {
  const burst = new QueryPipeline(typeParsers);
  const answers = asked.map(one =>
    burst.enqueue(typeof one === 'string' ? { text: one, values: [] } : { ...one, values: encodeParams(one.values) }),
  );
  burst.flush(client);
  return Promise.allSettled(answers);
}

const rowsOf = (outcomes: Awaited<ReturnType<typeof send>>) =>
  outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value.rows : (outcome.reason as Error).message));

describe('statements that leave together', () => {
  it('are answered at once, each with its own rows and command', async () => {
    let answers = 0;
    connectionOf(client).on('readyForQuery', () => answers++);
    const outcomes = await send(
      'BEGIN',
      { text: 'SELECT $1::int8 AS n, $2::text[] AS texts', values: [7, ['a', null, '"']] },
      'SELECT 1 AS a UNION ALL SELECT 2',
      { text: 'SELECT $1::bytea AS bytes, $2::jsonb AS json', values: [Buffer.from('x'), { is: true }] },
      'COMMIT',
    );
    expect(rowsOf(outcomes)).toEqual([
      [],
      [{ n: 7, texts: ['a', null, '"'] }],
      [{ a: 1 }, { a: 2 }],
      [{ bytes: Buffer.from('x'), json: { is: true } }],
      [],
    ]);
    const commands = outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value.command : ''));
    expect(commands).toEqual(['BEGIN', 'SELECT', 'SELECT', 'SELECT', 'COMMIT']);
    await send('SELECT 1');
    expect(answers).toBe(2);
  });

  it('fail from the one that fails on, and leave the connection usable', async () => {
    const outcomes = await send('SELECT 1 AS n', 'SELECT 1 / 0', 'SELECT 2 AS n');
    expect(rowsOf(outcomes)).toEqual([[{ n: 1 }], 'division by zero', 'division by zero']);
    expect(rowsOf(await send('SELECT 3 AS n'))).toEqual([[{ n: 3 }]]);
  });

  it('are kept by name once the server has taken them, and told again if it has not', async () => {
    const kept = (name: string, divisor: number) => ({
      name,
      text: `SELECT 6 / $1::int AS ${name}`,
      values: [divisor],
    });
    expect(rowsOf(await send(kept('first', 0), kept('second', 2)))).toEqual(['division by zero', 'division by zero']);
    expect(rowsOf(await send(kept('first', 2), kept('second', 3), kept('first', 1)))).toEqual([
      [{ first: 3 }],
      [{ second: 2 }],
      [{ first: 6 }],
    ]);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM pg_prepared_statements ORDER BY name');
    expect(rows.map(({ name }) => name)).toEqual(['first', 'second']);
  });

  it('are described once where they are kept, also those without rows; each time the rows are its own', async () => {
    let described = 0;
    for (const event of ['rowDescription', 'noData']) connectionOf(client).on(event, () => described++);
    const some = { name: 'some', text: 'SELECT n, now() AS at FROM generate_series(1, $1::int) AS n' };
    const none = { name: 'none', text: `SET application_name = 'described'` };
    const plain = { text: 'SELECT 1 AS n', values: [] };
    const ask = async (count: number) => {
      described = 0;
      const [rows] = rowsOf(await send({ ...some, values: [count] }, { ...none, values: [] }, plain));
      return (rows as { n: number; at: number }[]).map(({ n, at }) => (at > 0 ? n : NaN));
    };
    expect(await ask(2)).toEqual([1, 2]);
    expect(described).toBe(3);
    expect(await ask(3)).toEqual([1, 2, 3]);
    expect(described).toBe(1);
  });

  it('that are kept fail rather than be misread when they select something else by now', async () => {
    const all = { name: 'all', text: 'SELECT * FROM changing', values: [] };
    await send('CREATE TEMP TABLE changing (n int)', 'INSERT INTO changing VALUES (1)', all);
    expect(rowsOf(await send('ALTER TABLE changing ADD COLUMN more text', all))).toEqual([
      [],
      'cached plan must not change result type',
    ]);
  });

  it('of which one has a row that cannot be read: only that one fails', async () => {
    const outcomes = await send(`SELECT 'infinity'::timestamptz AS at`, 'SELECT 1 AS n');
    expect(rowsOf(outcomes)).toEqual(['not a timestamp: infinity', [{ n: 1 }]]);
  });

  it('of which one says nothing: the others are answered', async () => {
    expect(rowsOf(await send('SELECT 1 AS n', '-- nothing', 'SELECT 2 AS n'))).toEqual([[{ n: 1 }], [], [{ n: 2 }]]);
  });

  it('of which one wants data: it fails', async () => {
    const outcomes = await send('CREATE TEMP TABLE taken (n int)', 'COPY taken FROM STDIN');
    expect(rowsOf(outcomes)).toEqual([[], expect.stringMatching(/no data is copied in here/)]);
  });

  it('leave no limit of the driver running', async () => {
    const options = { connectionString: url, query_timeout: 50, pipeline: true };
    const limited = new pg.Client(options);
    await limited.connect();
    const burst = new QueryPipeline(typeParsers);
    const answer = burst.enqueue({ text: 'SELECT 1 AS n', values: [] });
    burst.flush(limited);
    expect((await answer).rows).toEqual([{ n: 1 }]);
    const longer = { text: 'SELECT 2 AS n FROM pg_sleep(0.2)', query_timeout: 10_000 };
    expect((await limited.query(longer)).rows).toEqual([{ n: 2 }]);
    await limited.end();
  });

  it('all fail when the connection is cut', async () => {
    const answers = send('SELECT pg_sleep(60)', 'SELECT 1');
    (connectionOf(client).stream as unknown as { destroy(): void }).destroy();
    for (const told of rowsOf(await answers)) expect(told).toMatch(/terminated|not queryable/);
  });

  it('may leave in part: the server runs that and answers with the rest', async () => {
    let answers = 0;
    connectionOf(client).on('readyForQuery', () => answers++);
    const burst = new QueryPipeline(typeParsers);
    const ahead = [7, 8].map(key =>
      burst.enqueue({ text: `SELECT pg_advisory_lock(${key}), ${key} AS n`, values: [] }),
    );
    burst.flushPartial(client);
    const held = `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND objid IN (7, 8)`;
    await until('both are held', async () => (await pool.query<{ held: number }>(held)).rows[0]!.held === 2);
    expect(answers).toBe(0);
    const rest = burst.enqueue({ text: 'SELECT pg_advisory_unlock_all(), 9 AS n', values: [] });
    burst.flush(client);
    expect((await Promise.all([...ahead, rest])).map(({ rows }) => (rows[0] as { n: number }).n)).toEqual([7, 8, 9]);
    expect(answers).toBe(1);
  });

  it('and where that part fails so does the rest, whether it was asked before the error came or after', async () => {
    const burst = new QueryPipeline(typeParsers);
    const ahead = burst.enqueue({ text: 'SELECT 1 / 0', values: [] });
    burst.flushPartial(client);
    const meanwhile = burst.enqueue({ text: 'SELECT 1', values: [] });
    await expect(ahead).rejects.toThrow('division by zero');
    const later = burst.enqueue({ text: 'SELECT 2', values: [] });
    burst.flush(client);
    expect(rowsOf(await Promise.allSettled([meanwhile, later]))).toEqual(['division by zero', 'division by zero']);
    expect(rowsOf(await send('SELECT 3 AS n'))).toEqual([[{ n: 3 }]]);
  });
});
