import { createPostgresBackend, createRedisBackend, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';

/** Takes one event from the queue, says so, and never finishes: a worker that is about to be killed. */
const { redisUrl, databaseUrl } = JSON.parse(process.argv[2]);
const [connection, factory] = redisUrl
  ? [new Redis(redisUrl, { maxRetriesPerRequest: null }), createRedisBackend]
  : [new pg.Pool({ connectionString: databaseUrl, options: '-c search_path=bullmq' }), createPostgresBackend];

const hang = job => {
  process.stdout.write(`${job.id}\n`);
  return new Promise(() => undefined);
};
const options = { connection, prefix: '{rapport}', lockDuration: 6_000, stalledInterval: 3_000, maxStalledCount: 3 };
new Worker('events', hang, options, factory).on('error', () => undefined);
