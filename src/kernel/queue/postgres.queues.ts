import { createPostgresBackend, type PgPool, runMigrations } from 'bullmq';
import pg from 'pg';
import { isPassing } from '#kernel/db/failures.js';
import { BullQueues } from './bull.queues.js';
import type { QueueBackend } from './queue.backend.js';
import { QUEUE_SCHEMA } from './queue.settings.js';
import { reasonOf, SparingLog, type TroubleLog } from './sparing.log.js';
import { endsWithin } from './within.js';

const QUERY_CONNECTIONS = 3;
const CLOSING_MS = 2_000;

/**
 * Settings of every session of the queues. Losing the last moments of the queues in a crash of the server is allowed,
 * because what they hold is in the outbox and comes again; so no job waits for the disk.
 */
const session = `-c search_path=${QUEUE_SCHEMA} -c synchronous_commit=off -c statement_timeout=30000`;

/**
 * Queues in PostgreSQL, in a schema of their own that is brought up to date here.
 * Connections: at most three for queries of all queues and workers, and one for each worker, on which it is woken.
 */
export async function openPostgresQueues(url: string, log: TroubleLog): Promise<QueueBackend> {
  const pool = new pg.Pool({
    connectionString: withSession(url),
    max: QUERY_CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'rapport queues',
  });
  const trouble = new SparingLog(log, 'PostgreSQL connection of the queues');
  pool.setMaxListeners(0);
  pool.on('error', error => trouble.warn(error));
  await migrate(pool);

  const connection = patient(pool);
  const forWorkers = () => {
    pool.options.max += 1;
    return connection;
  };
  const queues = new BullQueues(
    { factory: createPostgresBackend, forQueues: connection, forWorkers, awaited: true },
    log,
  );
  return {
    kind: 'postgres',
    openQueue: (name, jobs) => queues.openQueue(name, jobs),
    openWorker: (name, handler, concurrency) => queues.openWorker(name, handler, concurrency),
    ping: async () => void (await pool.query('SELECT 1')),
    close: async () => {
      await queues.close();
      await endsWithin(CLOSING_MS, pool.end());
    },
  };
}

async function migrate(pool: pg.Pool): Promise<void> {
  try {
    const client = await pool.connect();
    try {
      await refusePooler(client);
      await runMigrations(client, QUEUE_SCHEMA);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    throw /unsupported startup parameter/.test(reasonOf(error)) ? new NeedsSession(error) : error;
  }
}

/** A pooler refuses the settings of a session, or takes them and lets nobody have them. */
async function refusePooler(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('search_path') AS path");
  if (rows[0].path !== QUEUE_SCHEMA) throw new NeedsSession();
}

/** A transaction pooler stands between the hub and PostgreSQL; its users run the queues in Redis. */
class NeedsSession extends Error {
  constructor(cause?: unknown) {
    super('DATABASE_URL leads through a transaction pooler, where queues cannot live: set REDIS_URL.', { cause });
  }
}

/**
 * BullMQ tries a statement again only if the error looks to it like a refused connection; it takes every other one,
 * of a server that restarts for example, for a failure of the job. So whatever passes is shown to it as such.
 */
function patient(pool: pg.Pool): PgPool {
  const asRefused = (error: unknown) => {
    throw isPassing(error)
      ? Object.assign(new Error(reasonOf(error), { cause: error }), { code: 'ECONNREFUSED' })
      : error;
  };
  const facade: PgPool = {
    query: (text, values) => pool.query(text, values as unknown[]).catch(asRefused),
    connect: () => pool.connect().catch(asRefused),
    end: async () => undefined,
    on: (event: string, listener: (subject: never) => void) => {
      pool.on(event as 'error', listener as (error: Error) => void);
      return facade;
    },
    removeAllListeners: () => facade,
  };
  return facade;
}

function withSession(url: string): string {
  const address = new URL(url);
  const own = address.searchParams.get('options');
  address.searchParams.set('options', own ? `${own} ${session}` : session);
  return address.href;
}
