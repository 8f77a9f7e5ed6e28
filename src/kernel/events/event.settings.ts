/** Injection token of the {@link EventSettings}. */
export const EVENT_SETTINGS = Symbol.for('rapport:event-settings');

/** How events travel. Tests make it quicker; nothing else changes it. */
export interface EventSettings {
  /** Name of the queue. */
  readonly queue: string;
  /** Most batches that are published in one transaction. */
  readonly batch: number;
  /** How long the queue may take to accept a batch before the events stay where they are, in milliseconds. */
  readonly addTimeoutMs: number;
  /** After publishing: how long to gather what else arrives, so that a burst shares transactions, in milliseconds. */
  readonly gatherMs: number;
  /** The net under the wake-up inside the process: how often the outbox is looked at anyway, in milliseconds. */
  readonly pollEveryMs: number;
  /** Longest pause between tries while the queue or the database is away, in milliseconds. */
  readonly longestPauseMs: number;
  /** How often published events are checked on, in milliseconds. */
  readonly reapEveryMs: number;
  /** After how long a published event that nobody has confirmed is published again, in milliseconds. */
  readonly unconfirmedAfterMs: number;
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
export const eventDefaults: EventSettings = {
  queue: 'events',
  batch: 500,
  addTimeoutMs: 2_000,
  gatherMs: 300,
  pollEveryMs: 1_000,
  longestPauseMs: 4_000,
  reapEveryMs: 30_000,
  unconfirmedAfterMs: 60_000,
  concurrency: 4,
  deliveryTimeoutMs: 30_000,
  attempts: 12,
  backoffMs: 500,
};
