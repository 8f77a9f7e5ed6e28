import { BullModule } from '@nestjs/bullmq';
import { Global, Logger, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import { DATABASE } from '#kernel/db/database.module.js';
import { toBullOptions } from './bull.js';
import { openPostgresQueues } from './postgres-queues.js';
import { QueueHealthIndicator } from './queue.health.js';
import { QueueServer } from './queue-server.js';
import { QueueWorkersService } from './queue-workers.service.js';
import { openRedisQueues } from './redis-queues.js';

/** Provides the server of the queues: Redis if REDIS_URL is set, else the database of the hub. */
@Global()
@Module({
  providers: [{ provide: QueueServer, inject: [ENV, DATABASE], useFactory: openQueueServer }, QueueHealthIndicator],
  exports: [QueueServer, QueueHealthIndicator],
})
export class QueueServerModule {}

/** Configures BullModule for the queues that the modules of the hub register, and starts their workers. */
@Module({
  imports: [
    QueueServerModule,
    DiscoveryModule,
    BullModule.forRootAsync({
      imports: [QueueServerModule],
      inject: [QueueServer],
      useFactory: toBullOptions,
      // Workers are opened after all modules are initialized, and not at all in the role `api`.
      extraOptions: { manualRegistration: true },
    }),
  ],
  providers: [QueueWorkersService],
})
export class QueueModule {}

async function openQueueServer(env: Env, database: Database): Promise<QueueServer> {
  const log = new Logger('Queues');
  return env.redisUrl ? openRedisQueues(env.redisUrl, log) : openPostgresQueues(database.url, log);
}
