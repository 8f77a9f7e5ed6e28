import { Module } from '@nestjs/common';
import { registerQueue } from '#kernel/queue/bull.js';
import { EventDeliveryService } from './event-delivery.service.js';
import { EventMetrics } from './event.metrics.js';
import { EVENTS_QUEUE, EventQueue, EVENT_QUEUE_OPTIONS, defaultEventQueueOptions } from './event.queue.js';
import { EventSubscriptionRegistry } from './event-subscription.registry.js';
import { EventsWorker } from './events.worker.js';
import { FailedEventsService } from './failed-events.service.js';
import { OutboxRepository } from './outbox.repository.js';
import { OutboxRedelivery, OutboxRelay } from './outbox.relay.js';

/**
 * Delivers events from the outbox to their subscribers. Requires the modules of settings, database, metrics and queues.
 */
@Module({
  imports: [registerQueue(EVENTS_QUEUE, { removeOnComplete: true, removeOnFail: true })],
  providers: [
    { provide: EVENT_QUEUE_OPTIONS, useValue: defaultEventQueueOptions },
    EventSubscriptionRegistry,
    EventMetrics,
    OutboxRepository,
    EventQueue,
    OutboxRelay,
    OutboxRedelivery,
    EventDeliveryService,
    EventsWorker,
    FailedEventsService,
  ],
  exports: [EventSubscriptionRegistry, FailedEventsService],
})
export class EventsModule {}
