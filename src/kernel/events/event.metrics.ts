import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { METRICS } from '#kernel/telemetry/metrics.module.js';

/** States of an outbox row. */
export const OUTBOX_STATES = ['unpublished', 'published', 'failed'] as const;

/** Number of events in a state, and the age of the oldest in seconds. */
export interface OutboxBacklog {
  readonly state: (typeof OUTBOX_STATES)[number];
  readonly events: number;
  readonly oldestAgeSeconds: number;
}

/** Metrics about events. Counters cover this process, gauges the whole outbox. */
@Injectable()
export class EventMetrics {
  readonly published: Counter;
  readonly delivered: Counter;
  readonly failed: Counter;
  readonly redelivered: Counter;
  private readonly backlog: Gauge<'state'>;
  private readonly oldest: Gauge<'state'>;

  constructor(@Inject(METRICS) registry: Registry) {
    const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
    const gauge = (name: string, help: string) =>
      new Gauge({ name, help, labelNames: ['state'] as const, registers: [registry] });
    this.published = counter('rapport_events_published_total', 'Events handed from the outbox to the queue');
    this.delivered = counter('rapport_events_delivered_total', 'Events delivered to all their subscribers');
    this.failed = counter('rapport_events_failed_total', 'Events whose delivery failed for good; they can be redriven');
    this.redelivered = counter(
      'rapport_events_redelivered_total',
      'Events published again because their delivery was not confirmed',
    );
    this.backlog = gauge('rapport_outbox_events', 'Events in the outbox, by state');
    this.oldest = gauge('rapport_outbox_oldest_age_seconds', 'Age of the oldest event in the outbox, by state');
  }

  /** Sets the gauges of the outbox; states missing in `backlog` are empty. */
  setBacklog(backlog: readonly OutboxBacklog[]): void {
    for (const state of OUTBOX_STATES) {
      const found = backlog.find(each => each.state === state);
      this.backlog.set({ state }, found?.events ?? 0);
      this.oldest.set({ state }, found?.oldestAgeSeconds ?? 0);
    }
  }
}
