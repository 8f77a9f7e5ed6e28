import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { openDatabase } from '#kernel/db/database.js';
import { createIndexConcurrently, type DeferredMigration } from '#kernel/db/deferred-migrations.js';
import type { DatabaseLogger } from '#kernel/db/database-server.js';
import type { DatabaseSchema } from '#kernel/db/orm.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import { databaseSchema } from '../../src/database-schema.js';
import { startHub } from '../../src/hub.js';
import { freshDatabase } from '../support/database/database.js';
import { event, tryAccount, tryRecord } from '../support/graph/graph-calls.js';
import { type Client, startTestHub, testEnv, type TestHub } from '../support/hub.js';
import { rapportHere } from '../support/process/rapport-command.js';
import { until } from '../support/until.js';

const quiet: DatabaseLogger = { info: () => undefined, error: () => undefined };

/** A migration of the next version, which needs a table of the hot path for itself. */
class NextMigration extends Migration {
  override name = '0002-next';

  override up(): void {
    this.addSql('ALTER TABLE observation_log ADD COLUMN reviewed_at timestamptz');
    this.addSql('CREATE TABLE numbers (id int PRIMARY KEY)');
    this.addSql('GRANT SELECT, INSERT ON numbers TO rapport_system');
  }
}

const nextSchema = (deferredMigrations: readonly DeferredMigration[] = []): DatabaseSchema => ({
  ...databaseSchema,
  migrations: [...databaseSchema.migrations, NextMigration],
  deferredMigrations,
});

let hub: TestHub;
let acme: Client;
let direct: pg.Client;

let load: ReturnType<typeof startLoad> | undefined;

beforeEach(async () => {
  hub = await startTestHub({ REQUEST_TIMEOUT_MS: '2000' });
  acme = await hub.workspace();
  direct = new pg.Client(hub.database.url);
  await direct.connect();
});
afterEach(async () => {
  await load?.stop();
  await direct.end();
  await hub.end();
});

/** Reads and writes until `stop` is called, which gives the statuses of all answers with their number. */
function startLoad() {
  const statuses = new Map<number, number>();
  const stopping = new AbortController();
  const count = async (answer: Promise<{ status: number }>) => {
    const status = await answer.then(
      answeredAt => answeredAt.status,
      () => 0,
    );
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const users = [0, 1, 2, 3].map(async user => {
    while (!stopping.signal.aborted) {
      await count(tryRecord(acme, `user${user}@acme.com`, [event('call_held')]));
      await count(tryAccount(acme, `user${user}@acme.com`));
    }
  });
  return {
    total: () => [...statuses.values()].reduce((sum, n) => sum + n, 0),
    stop: async () => {
      stopping.abort();
      await Promise.all(users);
      return [...statuses.keys()];
    },
  };
}

const openNext = (log = quiet, deferred: readonly DeferredMigration[] = []) =>
  openDatabase(testEnv(hub.database.url, { REQUEST_TIMEOUT_MS: '2000' }), nextSchema(deferred), log);

it('a migration behind a long reader lets running hubs answer, and is applied when the reader ends', async () => {
  const tries: string[] = [];
  await direct.query('BEGIN; SELECT 1 FROM observations LIMIT 1');
  load = startLoad();
  const migrating = openNext({ info: text => void tries.push(text), error: quiet.error });
  await until('it was tried twice', () => tries.length >= 2);
  const before = load.total();
  await until('requests are answered meanwhile', () => load!.total() > before + 20);
  expect(tries[0]).toContain('A migration waits for a table that others use');
  await direct.query('COMMIT');
  const next = await migrating;
  expect(next.appliedMigrations).toEqual(['0002-next']);
  expect(await load.stop()).toEqual([200]);
  await next.close();
});

it('the version before serves on beside the next one, and a new start of it is refused in a sentence', async () => {
  const next = await openNext();
  expect((await tryRecord(acme, 'ada@acme.com', [event('call_held')])).status).toBe(200);
  expect((await tryAccount(acme, 'ada@acme.com')).status).toBe(200);
  await next.close();
  await expect(startHub(testEnv(hub.database.url), createLogger('silent'))).rejects.toThrow(
    'The schema of the database is newer than this version, which does not know the migration "0002-next": ' +
      'start the newer version, or restore a backup from before its migration.',
  );
  const { code, err } = await rapportHere(['admin', 'workspace', 'list'], { DATABASE_URL: hub.database.url });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('is newer than this version') });
});

it('deferred migrations run beside the load, and go on where a failure stopped them', async () => {
  const batches: (string | undefined)[] = [];
  const backfill: DeferredMigration = {
    name: 'fill numbers',
    runBatch: async ({ work }, cursor) => {
      batches.push(cursor);
      if (batches.length === 2) throw new Error('the process ended');
      const from = Number(cursor ?? 0);
      await work.system(tx =>
        tx.query('INSERT INTO numbers SELECT generate_series($1::int, $1::int + 9) ON CONFLICT DO NOTHING', [from]),
      );
      return from < 20 ? String(from + 10) : undefined;
    },
  };
  load = startLoad();
  const index = createIndexConcurrently('observations_reviewed', 'ON observation_log (workspace_id, reviewed_at)');
  const next = await openNext(quiet, [index, backfill]);
  await expect(next.runDeferredMigrations()).rejects.toThrow('the process ended');
  expect(await next.runDeferredMigrations()).toEqual({ finished: ['fill numbers'], isComplete: true });
  expect(batches).toEqual([undefined, '10', '10', '20']);
  expect(await next.runDeferredMigrations()).toEqual({ finished: [], isComplete: true });
  expect(await load.stop()).toEqual([200]);
  expect((await direct.query('SELECT count(*)::int AS n FROM numbers')).rows).toEqual([{ n: 30 }]);
  const valid = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'observations_reviewed'::regclass`;
  expect((await direct.query(valid)).rows).toEqual([{ indisvalid: true }]);
  await next.close();
});

it('an index that a killed build left invalid is built again', async () => {
  const next = await openNext(quiet, [createIndexConcurrently('numbers_third', 'ON numbers ((id % 3))')]);
  await direct.query('INSERT INTO numbers SELECT generate_series(1, 9)');
  const broken = 'CREATE UNIQUE INDEX CONCURRENTLY numbers_third ON numbers ((id % 3))';
  await expect(direct.query(broken)).rejects.toThrow(/could not create unique index/);
  await next.runDeferredMigrations();
  const sql = `SELECT indisvalid, indisunique FROM pg_index WHERE indexrelid = 'numbers_third'::regclass`;
  expect((await direct.query(sql)).rows).toEqual([{ indisvalid: true, indisunique: false }]);
  await next.close();
});

it('with MIGRATIONS=check a start applies nothing, and `rapport admin migrate` is a step of its own', async () => {
  const fresh = await freshDatabase();
  const check = { MIGRATIONS: 'check', DATABASE_URL: fresh.url };
  const start = () => startHub(testEnv(fresh.url, { MIGRATIONS: 'check' }), createLogger('silent'));
  await expect(start()).rejects.toThrow(/pending: 0001-baseline-01-directory, .*run "rapport admin migrate" first\.$/);
  const empty = new pg.Client(fresh.url);
  await empty.connect();
  expect((await empty.query(`SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).rows).toEqual([]);
  await empty.end();
  expect(await rapportHere(['admin', 'migrate'], check)).toMatchObject({ code: 0 });
  await (await start()).close();
  await fresh.drop();
});
