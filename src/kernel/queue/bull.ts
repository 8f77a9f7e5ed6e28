import { BullModule, type BullRootModuleOptions } from '@nestjs/bullmq';
import type { DynamicModule } from '@nestjs/common';
import type { ConnectionOptions, DefaultJobOptions } from 'bullmq';
import { HubQueue, QUEUE_PREFIX, defaultJobOptions } from './hub-queue.js';
import { HubWorker } from './hub-worker.js';
import type { QueueServer } from './queue-server.js';

// BullModule keeps its classes in static members and reads the one of queues when a queue is registered, which
// decorators do while modules are loaded. So they are set where every registration passes. Both classes take their
// server from the options and hold no state, so hubs with different servers can share a process.
BullModule.queueClass = HubQueue;
BullModule.workerClass = HubWorker;

/** Returns the options of all queues on `server`, in the form that `BullModule.forRootAsync` takes. */
export function toBullOptions(server: QueueServer): BullRootModuleOptions {
  return { connection: toConnection(server), prefix: QUEUE_PREFIX };
}

/**
 * Registers the queue `name` of the hub with `BullModule`; inject it with `@InjectQueue(name)`.
 * @param jobs options that differ from {@link defaultJobOptions}
 */
export function registerQueue(name: string, jobs: DefaultJobOptions = {}): DynamicModule {
  return BullModule.registerQueue({ name, defaultJobOptions: { ...defaultJobOptions, ...jobs } });
}

/** Registers a queue like {@link registerQueue}, in a Nest container without the root configuration of the hub. */
export function registerQueueOn(server: QueueServer, name: string, jobs: DefaultJobOptions = {}): DynamicModule {
  return BullModule.registerQueue({
    ...toBullOptions(server),
    name,
    defaultJobOptions: { ...defaultJobOptions, ...jobs },
  });
}

/** BullMQ's types name the connections of Redis alone; {@link HubQueue} and {@link HubWorker} take a server. */
function toConnection(server: QueueServer): ConnectionOptions {
  return server as unknown as ConnectionOptions;
}
