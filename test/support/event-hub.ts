import type { LoggerService } from '@nestjs/common';
import { defineEntity } from '@mikro-orm/postgresql';
import { Test } from '@nestjs/testing';
import type { Registry } from 'prom-client';
import { ConfigModule } from '#kernel/config/config.module.js';
import { readEnv } from '#kernel/config/env.js';
import { openDatabase } from '#kernel/db/database.js';
import { DatabaseModule } from '#kernel/db/database.module.js';
import { DirectoryMigration } from '../../src/migrations/0001-baseline/01-directory.migration.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EVENT_QUEUE_OPTIONS, defaultEventQueueOptions, type EventQueueOptions } from '#kernel/events/event.queue.js';
import { EventSubscriptionRegistry } from '#kernel/events/event-subscription.registry.js';
import { EventsModule } from '#kernel/events/events.module.js';
import { EventsWorker } from '#kernel/events/events.worker.js';
import { FailedEventsService } from '#kernel/events/failed-events.service.js';
import { QueueHealthIndicator } from '#kernel/queue/queue.health.js';
import { QueueModule } from '#kernel/queue/queue.module.js';
import { QueueServer } from '#kernel/queue/queue-server.js';
import { METRICS, MetricsModule } from '#kernel/telemetry/metrics.module.js';
import { until } from './until.js';

/** What an event hub is started with. */
export interface EventHubOptions {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
  readonly role?: 'all' | 'api' | 'worker';
  readonly settings?: Partial<EventQueueOptions>;
  /** Called before the first event can be delivered. */
  readonly subscribe?: (subscriptions: EventSubscriptionRegistry) => void;
}

/** The part of a hub that carries events: database, queues, relay and worker, without an HTTP server. */
export interface EventHub {
  readonly work: UnitOfWork;
  readonly failed: FailedEventsService;
  readonly worker: EventsWorker;
  readonly health: QueueHealthIndicator;
  readonly queues: QueueServer;
  /** What was logged at error level. */
  readonly errors: readonly string[];
  /** What was logged as a warning. */
  readonly warnings: readonly string[];
  /** The value of a counter of this hub; with `least` once it has come so far, which is a moment after what it counts. */
  count(metric: string, least?: number): Promise<number>;
  /** How many events the outbox has in rows that fulfil `condition`. */
  rows(condition?: string): Promise<number>;
  emit(workspace: string, type: string, ...payloads: Record<string, unknown>[]): Promise<void>;
  stop(): Promise<void>;
}

/** MikroORM wants to know one table at least. */
const Workspace = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: p => ({ id: p.uuid().primary() }),
});

const quiet = { info: () => undefined, error: () => undefined };

/** Starts the kernel's event machinery as the hub does, with quick retries. */
export async function startEventHub(options: EventHubOptions): Promise<EventHub> {
  const env = readEnv({
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl ?? '',
    ROLE: options.role ?? 'all',
    DATABASE_POOL_SIZE: '5',
  });
  const migrations = [{ name: '0001-baseline-01-directory', class: DirectoryMigration }];
  const database = await openDatabase(env, { entities: [Workspace], migrations }, quiet);
  const { logger, errors, warnings } = recordingLogger();
  const app = await Test.createTestingModule({
    imports: [ConfigModule.forRoot(env), DatabaseModule.forRoot(database), MetricsModule, QueueModule, EventsModule],
  })
    .overrideProvider(EVENT_QUEUE_OPTIONS)
    .useValue({ ...defaultEventQueueOptions, backoffMs: 20, ...options.settings })
    .setLogger(logger)
    .compile();
  options.subscribe?.(app.get(EventSubscriptionRegistry));
  await app.init();
  const registry = app.get<Registry>(METRICS);
  return {
    work: database.work,
    failed: app.get(FailedEventsService),
    worker: app.get(EventsWorker),
    health: app.get(QueueHealthIndicator),
    queues: app.get(QueueServer),
    errors,
    warnings,
    count: async (metric, least = 0) => {
      const value = async () => (await registry.getSingleMetric(metric)!.get()).values[0]?.value ?? 0;
      await until(`${metric} is ${least}`, async () => (await value()) >= least);
      return value();
    },
    rows: async (condition = 'true') => {
      const [row] = await database.work.system(tx =>
        tx.query<{ n: number }>(`SELECT coalesce(sum(event_count), 0)::int AS n FROM outbox WHERE ${condition}`),
      );
      return row!.n;
    },
    emit: (workspace, type, ...payloads) =>
      database.work.run(workspace, async tx => payloads.forEach(payload => tx.emit({ type, payload }))),
    stop: async () => {
      await app.close();
      await database.close();
    },
  };
}

function recordingLogger() {
  const errors: string[] = [];
  const warnings: string[] = [];
  const logger: LoggerService = {
    log: () => undefined,
    error: (message: string) => void errors.push(message),
    warn: (message: string) => void warnings.push(message),
  };
  return { logger, errors, warnings };
}
