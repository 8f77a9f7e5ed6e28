import { Inject, Injectable } from '@nestjs/common';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { EventSubscriptionRegistry, type Subscriber } from './event-subscription.registry.js';
import { EVENT_QUEUE_OPTIONS, type EventQueueOptions } from './event.queue.js';
import { type BatchedEvent, type EventBatch, toHubEvent, type HubEvent, type DeliveredTo } from './hub-event.js';

/** Thrown if some subscribers failed; the message names them and their reasons. */
export class PartialDeliveryError extends Error {
  constructor(
    readonly batches: readonly EventBatch[],
    readonly deliveredTo: DeliveredTo,
    refusals: readonly string[],
  ) {
    super([...new Set(refusals)].join('; '));
  }
}

/** Result of one event: the subscribers that have received it, and the failures of the others. */
interface DeliveryOutcome {
  readonly event: BatchedEvent;
  readonly deliveredTo: readonly string[];
  readonly failures: readonly string[];
}

/** Delivers events to the subscribers that have not received them yet. */
@Injectable()
export class EventDeliveryService {
  constructor(
    private readonly subscriptions: EventSubscriptionRegistry,
    @Inject(EVENT_QUEUE_OPTIONS) private readonly options: EventQueueOptions,
  ) {}

  /**
   * Calls the subscribers of all events of these batches concurrently, and passes the batches that are completely
   * delivered to `confirm`. All calls start together, so one time limit applies to all.
   * @param deliveredTo the subscribers that received each event before.
   * @throws PartialDeliveryError if a subscriber failed or exceeded the delivery timeout. It has the incomplete
   * batches and all subscribers that received each of their events, so that a retry skips these.
   */
  async deliver(
    batches: readonly EventBatch[],
    deliveredTo: DeliveredTo,
    shutdown: AbortSignal,
    confirm: (batches: EventBatch[]) => Promise<void>,
  ): Promise<void> {
    const deadline = new DeliveryDeadline(this.options.deliveryTimeoutMs, shutdown);
    const delivered = await Promise.all(batches.map(batch => this.deliverBatch(batch, deliveredTo, deadline)));
    deadline.clear();
    const isIncomplete = delivered.map(events => events.some(({ failures }) => failures.length > 0));
    const done = batches.filter((_, i) => !isIncomplete[i]);
    if (done.length > 0) await confirm(done);
    if (done.length === batches.length) return;
    const incomplete = delivered.filter((_, i) => isIncomplete[i]).flat();
    throw new PartialDeliveryError(
      batches.filter((_, i) => isIncomplete[i]),
      Object.fromEntries(incomplete.map(each => [each.event.id, each.deliveredTo])),
      incomplete.flatMap(({ failures }) => failures),
    );
  }

  /** Returns a batch with only those events that some subscriber has yet to receive. */
  withUndelivered(batch: EventBatch, deliveredTo: DeliveredTo): EventBatch {
    return {
      ...batch,
      events: batch.events.filter(event => this.findPendingSubscribers(event, deliveredTo[event.id]).length > 0),
    };
  }

  private findPendingSubscribers({ type }: BatchedEvent, deliveredTo: readonly string[] = []): Subscriber[] {
    return this.subscriptions.findSubscribers(type).filter(({ name }) => !deliveredTo.includes(name));
  }

  private deliverBatch(
    batch: EventBatch,
    deliveredTo: DeliveredTo,
    deadline: DeliveryDeadline,
  ): Promise<DeliveryOutcome[]> {
    return Promise.all(
      batch.events.map(async event => ({
        event,
        ...(await this.deliverOne(toHubEvent(batch, event), deliveredTo[event.id] ?? [], deadline)),
      })),
    );
  }

  private async deliverOne(
    event: HubEvent,
    deliveredTo: readonly string[],
    deadline: DeliveryDeadline,
  ): Promise<Omit<DeliveryOutcome, 'event'>> {
    const outcomes = await Promise.all(
      this.findPendingSubscribers(event, deliveredTo).map(each => callSubscriber(each, event, deadline)),
    );
    const succeeded = outcomes.filter(({ refusal }) => refusal === undefined).map(({ name }) => name);
    const failures = outcomes.flatMap(({ name, refusal }) => (refusal === undefined ? [] : [`${name}: ${refusal}`]));
    return { deliveredTo: [...deliveredTo, ...succeeded], failures };
  }
}

async function callSubscriber({ name, handle }: Subscriber, event: HubEvent, deadline: DeliveryDeadline) {
  try {
    await Promise.race([handle(event, deadline.signal), deadline.expired]);
    return { name, refusal: undefined };
  } catch (error) {
    return { name, refusal: errorMessage(error) };
  }
}

/** Time limit shared by all subscribers of a delivery. */
class DeliveryDeadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly onShutdown = () => this.controller.abort(this.shutdown.reason);
  /** Rejects when the time limit is exceeded or the process shuts down. */
  readonly expired: Promise<never>;

  constructor(
    ms: number,
    private readonly shutdown: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.controller.abort(new Error(`took longer than ${ms} ms`)), ms);
    shutdown.addEventListener('abort', this.onShutdown, { once: true });
    this.expired = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    this.expired.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Releases the timer after all subscribers have finished. */
  clear(): void {
    clearTimeout(this.timer);
    this.shutdown.removeEventListener('abort', this.onShutdown);
  }
}
