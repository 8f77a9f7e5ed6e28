/** Injection token of the {@link EventQueueOptions}. */
export const EVENT_QUEUE_OPTIONS = Symbol.for('rapport:event-settings');

/** How events travel. Tests make it quicker; nothing else changes it. */
export interface EventQueueOptions {
  /** Name of the queue. */
  readonly queueName: string;
  /** Most batches that are published in one transaction. */
  readonly batchSize: number;
  /** How long the queue may take to accept a batch before the events stay where they are, in milliseconds. */
  readonly addTimeoutMs: number;
  /** After publishing: how long to gather what else arrives, so that a burst shares transactions, in milliseconds. */
  readonly lingerMs: number;
  /** The net under the wake-up inside the process: how often the outbox is looked at anyway, in milliseconds. */
  readonly pollIntervalMs: number;
  /** Longest pause between tries while the queue or the database is away, in milliseconds. */
  readonly maxBackoffMs: number;
  /** How often published events are checked on, in milliseconds. */
  readonly redeliveryIntervalMs: number;
  /** After how long a published event that nobody has confirmed is published again, in milliseconds. */
  readonly redeliverAfterMs: number;
  /** Batches of events in the hands of one process at once. */
  readonly concurrency: number;
  /** How long all subscribers together may take over the events of one job, in milliseconds. */
  readonly deliveryTimeoutMs: number;
  /** Tries of one event before it is given up. */
  readonly attempts: number;
  /** The first pause between tries, which doubles each time, in milliseconds. */
  readonly backoffMs: number;
}

/** About a quarter of an hour of tries for each event. */
export const defaultEventQueueOptions: EventQueueOptions = {
  queueName: 'events',
  batchSize: 500,
  addTimeoutMs: 2_000,
  lingerMs: 300,
  pollIntervalMs: 1_000,
  maxBackoffMs: 4_000,
  redeliveryIntervalMs: 30_000,
  redeliverAfterMs: 60_000,
  concurrency: 4,
  deliveryTimeoutMs: 30_000,
  attempts: 12,
  backoffMs: 500,
};
