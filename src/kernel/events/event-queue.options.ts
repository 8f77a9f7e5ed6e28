/** Injection token of the {@link EventQueueOptions}. */
export const EVENT_QUEUE_OPTIONS = Symbol.for('rapport:event-settings');

/** Timing and limits of event delivery. Only tests change the defaults. */
export interface EventQueueOptions {
  /** Maximum number of batches that are published in one transaction. */
  readonly batchSize: number;
  /** Time limit of the queue for accepting a batch, in milliseconds; after that the events stay in the outbox. */
  readonly addTimeoutMs: number;
  /** Pause after publishing a single batch, in milliseconds: an event of a quiet hub waits no longer than this. */
  readonly minPauseMs: number;
  /**
   * Maximum pause after publishing, in milliseconds. The pause doubles as long as several batches arrive during it, so
   * that under load they share a transaction.
   */
  readonly maxPauseMs: number;
  /** How often the outbox is polled in addition to the wake-up inside the process, in milliseconds. */
  readonly pollIntervalMs: number;
  /** Maximum backoff while the queue or the database is unavailable, in milliseconds. */
  readonly maxBackoffMs: number;
  /** How often the outbox is checked for unconfirmed events, in milliseconds. */
  readonly redeliveryIntervalMs: number;
  /** Age at which a published event without confirmation is published again, in milliseconds. */
  readonly redeliverAfterMs: number;
  /** Time limit of all subscribers together for the events of one job, in milliseconds. */
  readonly deliveryTimeoutMs: number;
  /** Number of delivery attempts before an event becomes a dead letter. */
  readonly attempts: number;
  /** First delay between attempts, doubled each time, in milliseconds. */
  readonly backoffMs: number;
}

/** Default options; they retry each event for about a quarter of an hour. */
export const defaultEventQueueOptions: EventQueueOptions = {
  batchSize: 500,
  addTimeoutMs: 2_000,
  minPauseMs: 20,
  maxPauseMs: 300,
  pollIntervalMs: 1_000,
  maxBackoffMs: 4_000,
  redeliveryIntervalMs: 30_000,
  redeliverAfterMs: 60_000,
  deliveryTimeoutMs: 30_000,
  attempts: 12,
  backoffMs: 500,
};
