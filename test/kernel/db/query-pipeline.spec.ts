import pg from 'pg';
import { typeParsers } from '#kernel/db/pool.js';
import { QueryPipeline, encodeParams } from '#kernel/db/query-pipeline.js';
import { freshPool } from '../../support/database/pool.js';

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
function send(...response: (Parameters<QueryPipeline['enqueue']>[0] | string)[]) {
  const pipeline = new QueryPipeline(typeParsers);
  const answers = response.map(one =>
    pipeline.enqueue(
      typeof one === 'string' ? { text: one, values: [] } : { ...one, values: encodeParams(one.values) },
    ),
  );
  pipeline.flush(client);
  return Promise.allSettled(answers);
}

const rowsOf = (outcomes: Awaited<ReturnType<typeof send>>) =>
  outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value.rows : (outcome.reason as Error).message));

describe('statements that leave together', () => {
  it('return together, each with its own rows and command', async () => {
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

  it('are sent by name once the server has prepared them, and whole if it has not', async () => {
    const stored = (name: string, divisor: number) => ({
      name,
      text: `SELECT 6 / $1::int AS ${name}`,
      values: [divisor],
    });
    expect(rowsOf(await send(stored('first', 0), stored('second', 2)))).toEqual([
      'division by zero',
      'division by zero',
    ]);
    expect(rowsOf(await send(stored('first', 2), stored('second', 3), stored('first', 1)))).toEqual([
      [{ first: 3 }],
      [{ second: 2 }],
      [{ first: 6 }],
    ]);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM pg_prepared_statements ORDER BY name');
    expect(rows.map(({ name }) => name)).toEqual(['first', 'second']);
  });

  it('that are prepared fail rather than be misread when their columns have changed', async () => {
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

  it('of which one returns nothing: the others return', async () => {
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
    const pipeline = new QueryPipeline(typeParsers);
    const answer = pipeline.enqueue({ text: 'SELECT 1 AS n', values: [] });
    pipeline.flush(limited);
    expect((await answer).rows).toEqual([{ n: 1 }]);
    const longer = { text: 'SELECT 2 AS n FROM pg_sleep(0.2)', query_timeout: 10_000 };
    expect((await limited.query(longer)).rows).toEqual([{ n: 2 }]);
    await limited.end();
  });

  it('all fail when the connection is cut', async () => {
    const answers = send('SELECT pg_sleep(60)', 'SELECT 1');
    (connectionOf(client).stream as unknown as { destroy(): void }).destroy();
    for (const received of rowsOf(await answers)) expect(received).toMatch(/terminated|not queryable/);
  });
});
