import { type BackendFactory, createPostgresBackend, type IQueueBackend, type PgPool, runMigrations } from 'bullmq';
import pg from 'pg';
import { isTransient } from '#kernel/db/database-errors.js';
import { QUEUE_SCHEMA } from './hub-queue.js';
import { QueueServer } from './queue-server.js';
import { errorMessage, ThrottledLogger, type WarnLogger } from '../telemetry/throttled-logger.js';
import { settlesWithin } from '../scheduling/timeout.js';

const MAX_QUERY_CONNECTIONS = 3;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Options of the queues' sessions. Commits are asynchronous: losing the latest changes in a crash is acceptable,
 * because the outbox holds the same events and redelivers them.
 */
const SESSION_OPTIONS = `-c search_path=${QUEUE_SCHEMA} -c synchronous_commit=off -c statement_timeout=30000`;

/**
 * Opens the server of queues in PostgreSQL and migrates their schema. Uses at most three connections for the queries of all queues
 * and workers, and one for each worker's notifications.
 * @throws TransactionPoolerError if the URL leads through a transaction pooler.
 */
export async function openPostgresQueues(url: string, log: WarnLogger): Promise<QueueServer> {
  const pool = new pg.Pool({
    connectionString: withSessionOptions(url),
    max: MAX_QUERY_CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'rapport queues',
  });
  const errorLogger = new ThrottledLogger(log, 'PostgreSQL connection of the queues');
  pool.setMaxListeners(0);
  pool.on('error', error => errorLogger.warn(error));
  await migrateQueueSchema(pool);

  const connection = withRetryableErrors(pool);
  const createWorkerConnection = () => {
    pool.options.max += 1;
    return connection;
  };
  return new QueueServer(
    {
      kind: 'postgres',
      backendFactory: createPostgresBackend as BackendFactory<IQueueBackend, unknown>,
      queueConnection: connection,
      createWorkerConnection,
      waitForReady: true,
      ping: async () => void (await pool.query('SELECT 1')),
      close: async () => void (await settlesWithin(CLOSE_TIMEOUT_MS, pool.end())),
    },
    log,
  );
}

async function migrateQueueSchema(pool: pg.Pool): Promise<void> {
  try {
    const client = await pool.connect();
    try {
      await rejectTransactionPooler(client);
      await runMigrations(client, QUEUE_SCHEMA);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    throw /unsupported startup parameter/.test(errorMessage(error)) ? new TransactionPoolerError(error) : error;
  }
}

/** Detects a pooler that accepts session options without applying them; others reject the options. */
async function rejectTransactionPooler(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('search_path') AS path");
  if (rows[0].path !== QUEUE_SCHEMA) throw new TransactionPoolerError();
}

/** Thrown if a transaction pooler is between the hub and PostgreSQL; such deployments use Redis for the queues. */
class TransactionPoolerError extends Error {
  constructor(cause?: unknown) {
    super('DATABASE_URL leads through a transaction pooler, which cannot serve the queues: set REDIS_URL.', { cause });
  }
}

/**
 * Wraps transient errors as refused connections: BullMQ retries a statement only for those, and treats others, such
 * as those of a restarting server, as failures of the job.
 */
function withRetryableErrors(pool: pg.Pool): PgPool {
  const toRetryableError = (error: unknown) => {
    throw isTransient(error)
      ? Object.assign(new Error(errorMessage(error), { cause: error }), { code: 'ECONNREFUSED' })
      : error;
  };
  const facade: PgPool = {
    query: (text, values) => pool.query(text, values as unknown[]).catch(toRetryableError),
    connect: () => pool.connect().catch(toRetryableError),
    end: async () => undefined,
    on: (event: string, listener: (subject: never) => void) => {
      pool.on(event as 'error', listener as (error: Error) => void);
      return facade;
    },
    removeAllListeners: () => facade,
  };
  return facade;
}

function withSessionOptions(url: string): string {
  const address = new URL(url);
  const own = address.searchParams.get('options');
  address.searchParams.set('options', own ? `${own} ${SESSION_OPTIONS}` : SESSION_OPTIONS);
  return address.href;
}
