import { Global, Logger, Module } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import { DATABASE } from '#kernel/db/database.module.js';
import { openPostgresQueues } from './postgres-queues.js';
import { QueueHealthIndicator } from './queue.health.js';
import { Queues } from './queues.js';
import { openRedisQueues } from './redis-queues.js';

/** Provides job queues: in Redis if REDIS_URL is set, else in the database of the hub. */
@Global()
@Module({
  providers: [{ provide: Queues, inject: [ENV, DATABASE], useFactory: openQueues }, QueueHealthIndicator],
  exports: [Queues, QueueHealthIndicator],
})
export class QueueModule {}

async function openQueues(env: Env, database: Database): Promise<Queues> {
  const log = new Logger('Queues');
  return new Queues(env.redisUrl ? openRedisQueues(env.redisUrl, log) : await openPostgresQueues(database.url, log));
}
