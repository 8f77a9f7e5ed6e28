import type { OnApplicationShutdown } from '@nestjs/common';
import type { BackendFactory, IQueueBackend } from 'bullmq';
import { ThrottledLogger, type WarnLogger } from '../telemetry/throttled-logger.js';
import { settlesWithin } from '../scheduling/timeout.js';

const QUEUES_CLOSE_TIMEOUT_MS = 2_000;

/** The differences between BullMQ over Redis and over PostgreSQL. */
export interface QueueConnections {
  readonly kind: 'redis' | 'postgres';
  /** Opens the backend of a queue or worker on the `connection` of its options. */
  readonly backendFactory: BackendFactory<IQueueBackend, unknown>;
  readonly queueConnection: unknown;
  readonly createWorkerConnection: () => unknown;
  /** Whether queues and workers must have connected before they are used; otherwise the server may come up later. */
  readonly waitForReady: boolean;
  /** Resolves if the server responds; otherwise rejects or stays pending. */
  ping(): Promise<void>;
  /** Closes all connections, in bounded time. */
  close(): Promise<void>;
}

/** A queue or a worker that uses the connections of a {@link QueueServer}. */
export interface QueueClient {
  readonly name: string;
  close(): Promise<void>;
}

/** A worker that fetches jobs. */
export interface RunningWorker extends QueueClient {
  /** Returns false after the loop that fetches jobs has ended. */
  isRunning(): boolean;
}

/**
 * The server that stores the jobs of this process: Redis or PostgreSQL. Queues and workers name it as their `connection`
 * and register themselves here, so that they are closed before their connections, in whatever order modules shut down.
 */
export class QueueServer implements OnApplicationShutdown {
  private readonly queues = new Set<QueueClient>();
  private readonly workers = new Set<QueueClient>();
  private readonly started = new Set<RunningWorker>();

  constructor(
    readonly connections: QueueConnections,
    private readonly log: WarnLogger,
  ) {}

  /** Kind of the server. */
  get kind(): QueueConnections['kind'] {
    return this.connections.kind;
  }

  /** Returns the names of the queues whose workers have started in this process. */
  listStartedWorkers(): string[] {
    return [...this.started].map(({ name }) => name);
  }

  /** Returns a log for the errors of a queue or worker, which repeat while the server is unavailable. */
  createErrorLog(subject: string): ThrottledLogger {
    return new ThrottledLogger(this.log, subject);
  }

  /** Registers a queue; {@link removeClient} is called when it is closed. */
  addQueue(queue: QueueClient): void {
    this.queues.add(queue);
  }

  /** Registers a worker that may start later; {@link removeClient} is called when it is closed. */
  addWorker(worker: QueueClient): void {
    this.workers.add(worker);
  }

  /** Includes a worker in {@link ping}. */
  addStarted(worker: RunningWorker): void {
    this.started.add(worker);
  }

  /** Excludes a worker from {@link ping} that is closed while the process goes on. */
  removeStarted(worker: RunningWorker): void {
    this.started.delete(worker);
  }

  /** Forgets a queue or worker that is closed. */
  removeClient(client: QueueClient): void {
    this.queues.delete(client);
    this.workers.delete(client);
  }

  /**
   * Resolves if the server responds and all started workers of this process are running; may reject or stay pending
   * otherwise.
   */
  async ping(): Promise<void> {
    const stopped = [...this.started].find(worker => !worker.isRunning());
    if (stopped) throw new Error(`the worker of queue "${stopped.name}" has stopped`);
    await this.connections.ping();
  }

  /** Closes workers, which wait for their active jobs, then queues and connections. Takes bounded time. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.workers].map(worker => worker.close()));
    await settlesWithin(QUEUES_CLOSE_TIMEOUT_MS, Promise.all([...this.queues].map(queue => queue.close())));
    await this.connections.close();
  }
}
