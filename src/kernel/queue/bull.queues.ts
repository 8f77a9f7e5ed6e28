import { type BackendFactory, type DefaultJobOptions, type IQueueBackend, type Job, withBackend } from 'bullmq';
import type { JobHandler } from './job.handler.js';
import { JobWorker } from './job.worker.js';
import type { JobQueue } from './queue.backend.js';
import { QUEUE_PREFIX, streamDefaults, workerDefaults } from './queue.settings.js';
import { SparingLog, type TroubleLog } from './sparing.log.js';
import { endsWithin } from './within.js';

const CLOSING_MS = 2_000;

/** Everything that differs between BullMQ over Redis and over PostgreSQL. */
export interface BullConnections<B extends IQueueBackend, C> {
  readonly factory: BackendFactory<B, C>;
  readonly forQueues: C;
  readonly forWorkers: () => C;
  /** True where queues and workers must have reached the server before they are used; else they may come up later. */
  readonly awaited: boolean;
}

/**
 * Opens queues and workers with BullMQ over one backend. The backend is bound to each of them instead of to the
 * process, so hubs with different backends live side by side.
 */
export class BullQueues<B extends IQueueBackend, C> {
  private readonly queues: { close(): Promise<void> }[] = [];
  private readonly workers: { close(): Promise<void> }[] = [];

  constructor(
    private readonly connections: BullConnections<B, C>,
    private readonly log: TroubleLog,
  ) {}

  async openQueue<Data>(name: string, jobs: DefaultJobOptions): Promise<JobQueue<Data>> {
    const { factory, forQueues, awaited } = this.connections;
    const { Queue } = withBackend(factory);
    const queue = new Queue<Data, void>(name, {
      connection: forQueues,
      prefix: QUEUE_PREFIX,
      defaultJobOptions: jobs,
      streams: streamDefaults,
      skipWaitingForReady: !awaited,
      skipVersionCheck: !awaited,
    });
    const trouble = new SparingLog(this.log, `queue "${name}"`);
    queue.on('error', error => trouble.warn(error));
    this.queues.push(queue);
    if (awaited) await queue.waitUntilReady();
    // BullMQ's types name the backend in every job that is handed back; nothing here looks at it.
    return queue as unknown as JobQueue<Data>;
  }

  async openWorker<Data>(name: string, handler: JobHandler<Data>, concurrency: number): Promise<JobWorker<Data>> {
    const { factory, forWorkers, awaited } = this.connections;
    const { Worker } = withBackend(factory);
    let ready: Promise<void> = Promise.resolve();
    const open = (process: (job: Job<Data, void, string>) => Promise<void>) => {
      const options = { ...workerDefaults, connection: forWorkers(), prefix: QUEUE_PREFIX, concurrency };
      const worker = new Worker<Data, void>(name, process, options);
      if (awaited) ready = worker.waitUntilReady();
      return worker;
    };
    const worker = new JobWorker(open, handler, this.log);
    this.workers.push(worker);
    await ready;
    return worker;
  }

  /** Closes the workers, which wait for the jobs at hand, and then the queues. Bounded. */
  async close(): Promise<void> {
    await Promise.all(this.workers.map(worker => worker.close()));
    await endsWithin(CLOSING_MS, Promise.all(this.queues.map(queue => queue.close())));
  }
}
