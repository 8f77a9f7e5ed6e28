import pg from 'pg';
import { openPostgresQueues } from '#kernel/queue/postgres-queues.js';
import { expectClaimsConsistent } from '../../support/graph/expect-claims-consistent.js';
import { describeWithPgbouncer, type Pgbouncer, pgbouncer } from '../../support/database/pgbouncer.js';
import {
  clientsOf,
  type SharedDatabase,
  sharedDatabase,
  type SpawnedHub,
  spawnHub,
} from '../../support/process/spawned-hub.js';
import { until } from '../../support/until.js';
import { expectOneEntityOf, writeHot } from '../../support/graph/writers.js';

describeWithPgbouncer('behind PgBouncer in transaction mode', () => {
  let shared: SharedDatabase;
  let pooler: Pgbouncer;
  let hubs: SpawnedHub[];

  const openClients = async () => clientsOf(hubs, await shared.workspace());
  const countOf = async (sql: string) => Number((await shared.database.pool.query(sql)).rows[0].n);

  beforeAll(async () => {
    shared = await sharedDatabase();
    pooler = await pgbouncer(shared.settings['DATABASE_URL']!);
    const settings = { ...shared.settings, DATABASE_URL: pooler.url };
    hubs = await Promise.all([spawnHub(settings), spawnHub(settings)]);
  });
  afterAll(async () => {
    await shared?.drop();
    await pooler?.close();
  });

  it('two hubs on two connections make one entity of 64 concurrent writers', async () => {
    const [replay] = await openClients();
    await expectOneEntityOf(await openClients(), replay!);
  });

  it('claims are what the log gives, and every event is delivered', async () => {
    const clients = await openClients();
    await writeHot(clients);
    await expectClaimsConsistent(shared.database.pool, clients[0]!.workspaceId);
    await until('the outbox is empty', async () => (await countOf('SELECT count(*) AS n FROM outbox')) === 0);
  });

  it('connections to the server keep no statement, role or workspace of anybody', async () => {
    const client = new pg.Client({ connectionString: pooler.url });
    await client.connect();
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM pg_prepared_statements) AS statements, current_user = session_user AS own,
         coalesce(current_setting('app.workspace_id', true), '') AS workspace`,
    );
    await client.end();
    expect(rows).toEqual([{ statements: 0, own: true, workspace: '' }]);
  });

  it('queues in PostgreSQL are refused, also where the pooler drops the settings of their sessions', async () => {
    const log = { warn: () => undefined };
    const deaf = await pgbouncer(shared.settings['DATABASE_URL']!, 'ignore_startup_parameters = options');
    for (const { url } of [pooler, deaf]) await expect(openPostgresQueues(url, log)).rejects.toThrow('set REDIS_URL');
    await deaf.close();
  });

  it('SIGTERM ends them in order', async () => {
    expect(await Promise.all(hubs.map(hub => hub.end('SIGTERM')))).toEqual([0, 0]);
  });
});
