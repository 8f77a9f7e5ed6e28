import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { Coalescer } from '#kernel/db/coalescer.js';
import type { JobWorker } from '#kernel/queue/job.worker.js';
import type { HeldJob, JobHandler } from '#kernel/queue/job.handler.js';
import { Queues } from '#kernel/queue/queues.js';
import { EventDelivery, NotTaken } from './event.delivery.js';
import { EventMetrics } from './event-metrics.js';
import { type EventJob, refTo } from './event.queue.js';
import { EVENT_SETTINGS, type EventSettings } from './event.settings.js';
import { countEvents, type EventBatch } from './hub-event.js';
import { Outbox } from './outbox.js';

const CONFIRMATIONS = { lanes: 1, worthwhile: 500, calls: 500, weight: 500, timeoutMs: 10_000 };

/** Delivers events to their subscribers, in the roles `all` and `worker`, and confirms what has arrived everywhere. */
@Injectable()
export class EventsWorker implements OnApplicationBootstrap, OnApplicationShutdown, JobHandler<EventJob> {
  private readonly log = new Logger('Events');
  private readonly confirmations: Coalescer<readonly EventBatch[], void>;
  private worker: JobWorker<EventJob> | undefined;

  constructor(
    private readonly queues: Queues,
    private readonly outbox: Outbox,
    private readonly delivery: EventDelivery,
    private readonly metrics: EventMetrics,
    @Inject(ENV) private readonly env: Env,
    @Inject(EVENT_SETTINGS) private readonly settings: EventSettings,
  ) {
    this.confirmations = new Coalescer((_, delivered) => this.confirmAll(delivered), CONFIRMATIONS);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.env.role === 'api') return;
    this.worker = await this.queues.worker(this.settings.queue, this, this.settings.concurrency);
  }

  /** Finishes the deliveries at hand, in bounded time. */
  async onApplicationShutdown(): Promise<void> {
    await this.worker?.close();
  }

  async run(job: HeldJob<EventJob>, signal: AbortSignal): Promise<void> {
    const batches = await this.outbox.waiting(job.data.batches);
    const confirm = (done: readonly EventBatch[]) => this.confirmations.submit('outbox', done, done.length);
    try {
      await this.delivery.deliver(batches, job.data.taken, signal, confirm);
    } catch (error) {
      if (error instanceof NotTaken) await job.updateData({ batches: error.batches.map(refTo), taken: error.taken });
      throw error;
    }
  }

  /** Workers died over the events: each is tried once more, alone. Subscribers refused to the end: it is put aside. */
  async givenUp({ data, deferredFailure }: HeldJob<EventJob>, error: Error): Promise<void> {
    for (const batch of await this.outbox.waiting(data.batches)) {
      await this.giveUp(this.delivery.openOf(batch, data.taken), deferredFailure !== undefined, error);
    }
  }

  private async giveUp(batch: EventBatch, workersDied: boolean, error: Error): Promise<void> {
    if (batch.events.length === 0) await this.outbox.confirm([batch]);
    else if (workersDied && (await this.outbox.putBackOnce(batch))) {
      this.metrics.requeued.inc(batch.events.length);
    } else if (await this.outbox.park(batch, error.message)) {
      const events = batch.events.map(({ id, type }) => `${id} (${type})`).join(', ');
      this.log.error(`Given up: ${error.message}: ${events}`);
      this.metrics.failed.inc(batch.events.length);
    }
  }

  private async confirmAll(delivered: readonly (readonly EventBatch[])[]): Promise<{ answer: void }[]> {
    const batches = delivered.flat();
    await this.outbox.confirm(batches);
    this.metrics.confirmed.inc(countEvents(batches));
    return delivered.map(() => ({ answer: undefined }));
  }
}
