import { getQueueToken, Processor } from '@nestjs/bullmq';
import { Test } from '@nestjs/testing';
import type { DefaultJobOptions } from 'bullmq';
import { registerQueueOn } from '#kernel/queue/bull.js';
import type { HubQueue, JobQueue } from '#kernel/queue/hub-queue.js';
import { type HubWorker, type ActiveJob, JobProcessor } from '#kernel/queue/hub-worker.js';
import type { QueueServer } from '#kernel/queue/queue-server.js';

/** What a worker under test does with its jobs. */
export interface TestHandler<Data> {
  run(job: ActiveJob<Data>, signal: AbortSignal): Promise<void>;
  onExhausted?(job: ActiveJob<Data>, error: Error): Promise<void>;
}

/** Registers a queue in a Nest container of its own. */
export async function openQueue<Data>(
  server: QueueServer,
  name: string,
  jobs: DefaultJobOptions = {},
): Promise<JobQueue<Data>> {
  const container = await Test.createTestingModule({ imports: [registerQueueOn(server, name, jobs)] }).compile();
  const queue = container.get<HubQueue>(getQueueToken(name), { strict: false });
  await queue.whenUsable();
  return queue;
}

/** Registers a queue and a `@Processor` for it in a Nest container, and starts the worker. */
export async function openWorker<Data>(
  server: QueueServer,
  name: string,
  handler: TestHandler<Data>,
  concurrency = 10,
): Promise<HubWorker> {
  @Processor(name, { concurrency })
  class Processing extends JobProcessor<Data> {
    run(job: ActiveJob<Data>, signal: AbortSignal): Promise<void> {
      return handler.run(job, signal);
    }
    async onExhausted(job: ActiveJob<Data>, error: Error): Promise<void> {
      await handler.onExhausted?.(job, error);
    }
  }
  const container = await Test.createTestingModule({
    imports: [registerQueueOn(server, name)],
    providers: [Processing],
  }).compile();
  await container.init();
  const worker = container.get(Processing).hubWorker;
  await worker.start();
  return worker;
}
