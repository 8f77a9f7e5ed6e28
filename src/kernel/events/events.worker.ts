import { Processor } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import { Batcher } from '#kernel/db/batcher.js';
import { type ActiveJob, JobProcessor } from '../queue/hub-worker.js';
import { EventDeliveryService, PartialDeliveryError } from './event-delivery.service.js';
import { EventMetrics } from './event.metrics.js';
import { EVENTS_QUEUE, type EventJob, toBatchRef } from './event.queue.js';
import { countEvents, type EventBatch } from './hub-event.js';
import { OutboxRepository } from './outbox.repository.js';

const CONFIRMATION_BATCHER_OPTIONS = {
  maxConcurrent: 1,
  maxBatch: 500,
  maxWeight: 500,
  lingerMs: 2,
  timeoutMs: 10_000,
};

/** Maximum number of jobs that one process delivers at the same time. */
const CONCURRENCY = 4;

/** Delivers events to their subscribers, in the roles `all` and `worker`, and confirms completed batches. */
@Processor(EVENTS_QUEUE, { concurrency: CONCURRENCY })
export class EventsWorker extends JobProcessor<EventJob> {
  private readonly log = new Logger('Events');
  private readonly confirmationBatcher: Batcher<readonly EventBatch[], void>;

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly delivery: EventDeliveryService,
    private readonly metrics: EventMetrics,
  ) {
    super();
    this.confirmationBatcher = new Batcher((_, delivered) => this.confirmAll(delivered), CONFIRMATION_BATCHER_OPTIONS);
  }

  async run(job: ActiveJob<EventJob>, signal: AbortSignal): Promise<void> {
    const batches = await this.outbox.readUndelivered(job.data.batches);
    const confirm = (done: readonly EventBatch[]) => this.confirmationBatcher.submit('outbox', done, done.length);
    try {
      await this.delivery.deliver(batches, job.data.taken, signal, confirm);
    } catch (error) {
      if (error instanceof PartialDeliveryError)
        await job.updateData({ batches: error.batches.map(toBatchRef), taken: error.deliveredTo });
      throw error;
    }
  }

  /**
   * Retries each event alone once if workers died over the job; otherwise subscribers failed in all attempts, and the
   * events become dead letters.
   */
  async onExhausted({ data, deferredFailure }: ActiveJob<EventJob>, error: Error): Promise<void> {
    for (const batch of await this.outbox.readUndelivered(data.batches)) {
      await this.handleExhausted(
        this.delivery.withUndelivered(batch, data.taken),
        deferredFailure !== undefined,
        error,
      );
    }
  }

  private async handleExhausted(batch: EventBatch, workersDied: boolean, error: Error): Promise<void> {
    if (batch.events.length === 0) await this.outbox.confirm([batch]);
    else if (workersDied && (await this.outbox.requeueIndividually(batch))) {
      this.metrics.redelivered.inc(batch.events.length);
    } else if (await this.outbox.deadLetter(batch, error.message)) {
      const events = batch.events.map(({ id, type }) => `${id} (${type})`).join(', ');
      this.log.error(`Dead letter: ${error.message}: ${events}`);
      this.metrics.failed.inc(batch.events.length);
    }
  }

  private async confirmAll(delivered: readonly (readonly EventBatch[])[]): Promise<{ result: void }[]> {
    const batches = delivered.flat();
    await this.outbox.confirm(batches);
    this.metrics.delivered.inc(countEvents(batches));
    return delivered.map(() => ({ result: undefined }));
  }
}
