import { Module } from '@nestjs/common';
import { EventDelivery } from './event.delivery.js';
import { EventMetrics } from './event-metrics.js';
import { EventQueue } from './event.queue.js';
import { EVENT_SETTINGS, eventDefaults } from './event.settings.js';
import { EventSubscriptions } from './event-subscriptions.js';
import { EventsWorker } from './events.worker.js';
import { FailedEvents } from './failed-events.js';
import { Outbox } from './outbox.js';
import { OutboxReaper } from './outbox.reaper.js';
import { OutboxRelay } from './outbox.relay.js';

/**
 * Events from the outbox to their subscribers. Stands on the modules that are global: settings, database, metrics and
 * queues. It is not global itself, so it comes to rest before the queues are closed.
 */
@Module({
  providers: [
    { provide: EVENT_SETTINGS, useValue: eventDefaults },
    EventSubscriptions,
    EventMetrics,
    Outbox,
    EventQueue,
    OutboxRelay,
    OutboxReaper,
    EventDelivery,
    EventsWorker,
    FailedEvents,
  ],
  exports: [EventSubscriptions, FailedEvents],
})
export class EventsModule {}
