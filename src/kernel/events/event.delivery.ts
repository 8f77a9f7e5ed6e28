import { Inject, Injectable } from '@nestjs/common';
import { reasonOf } from '#kernel/queue/sparing.log.js';
import { EventSubscriptions, type Subscriber } from './event-subscriptions.js';
import { EVENT_SETTINGS, type EventSettings } from './event.settings.js';
import { type BatchedEvent, type EventBatch, eventOf, type HubEvent, type Taken } from './hub-event.js';

/** Not every subscriber took the events; the message says who did not, and why. */
export class NotTaken extends Error {
  constructor(
    readonly batches: readonly EventBatch[],
    readonly taken: Taken,
    refusals: readonly string[],
  ) {
    super([...new Set(refusals)].join('; '));
  }
}

/** What became of one event: who has had it now, and who has not and why. */
interface Delivered {
  readonly event: BatchedEvent;
  readonly taken: readonly string[];
  readonly refusals: readonly string[];
}

/** Hands events to everybody who wants them and has not had them. */
@Injectable()
export class EventDelivery {
  constructor(
    private readonly subscriptions: EventSubscriptions,
    @Inject(EVENT_SETTINGS) private readonly settings: EventSettings,
  ) {}

  /**
   * Calls the subscribers of all events of these batches at once, and tells `confirm` of which batches everybody has
   * taken all events. They all begin together, so one limit holds for all.
   * @param taken who has had which of the events before.
   * @throws NotTaken if a subscriber failed or took longer than the delivery timeout; it holds the other batches, and who
   * has had of their events by now, so that the next try spares those.
   */
  async deliver(
    batches: readonly EventBatch[],
    taken: Taken,
    shutdown: AbortSignal,
    confirm: (batches: EventBatch[]) => Promise<void>,
  ): Promise<void> {
    const limit = new DeliveryLimit(this.settings.deliveryTimeoutMs, shutdown);
    const delivered = await Promise.all(batches.map(batch => this.deliverBatch(batch, taken, limit)));
    limit.end();
    const isLeft = delivered.map(events => events.some(({ refusals }) => refusals.length > 0));
    const done = batches.filter((_, i) => !isLeft[i]);
    if (done.length > 0) await confirm(done);
    if (done.length === batches.length) return;
    const left = delivered.filter((_, i) => isLeft[i]).flat();
    throw new NotTaken(
      batches.filter((_, i) => isLeft[i]),
      Object.fromEntries(left.map(each => [each.event.id, each.taken])),
      left.flatMap(({ refusals }) => refusals),
    );
  }

  /** A batch with those of its events that somebody has yet to take. */
  openOf(batch: EventBatch, taken: Taken): EventBatch {
    return { ...batch, events: batch.events.filter(event => this.waitingFor(event, taken[event.id]).length > 0) };
  }

  private waitingFor({ type }: BatchedEvent, taken: readonly string[] = []): Subscriber[] {
    return this.subscriptions.of(type).filter(({ name }) => !taken.includes(name));
  }

  private deliverBatch(batch: EventBatch, taken: Taken, limit: DeliveryLimit): Promise<Delivered[]> {
    return Promise.all(
      batch.events.map(async event => ({
        event,
        ...(await this.deliverOne(eventOf(batch, event), taken[event.id] ?? [], limit)),
      })),
    );
  }

  private async deliverOne(
    event: HubEvent,
    taken: readonly string[],
    limit: DeliveryLimit,
  ): Promise<Omit<Delivered, 'event'>> {
    const outcomes = await Promise.all(this.waitingFor(event, taken).map(each => call(each, event, limit)));
    const had = outcomes.filter(({ refusal }) => refusal === undefined).map(({ name }) => name);
    const refusals = outcomes.flatMap(({ name, refusal }) => (refusal === undefined ? [] : [`${name}: ${refusal}`]));
    return { taken: [...taken, ...had], refusals };
  }
}

async function call({ name, handle }: Subscriber, event: HubEvent, limit: DeliveryLimit) {
  try {
    await Promise.race([handle(event, limit.signal), limit.passed]);
    return { name, refusal: undefined };
  } catch (error) {
    return { name, refusal: reasonOf(error) };
  }
}

/** By when subscribers must have taken what they were handed together. */
class DeliveryLimit {
  private readonly controller = new AbortController();
  private readonly late: NodeJS.Timeout;
  private readonly stop = () => this.controller.abort(this.shutdown.reason);
  /** Rejects when the time is up, or when the process shuts down. */
  readonly passed: Promise<never>;

  constructor(
    ms: number,
    private readonly shutdown: AbortSignal,
  ) {
    this.late = setTimeout(() => this.controller.abort(new Error(`took longer than ${ms} ms`)), ms);
    shutdown.addEventListener('abort', this.stop, { once: true });
    this.passed = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    this.passed.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Everybody has answered. */
  end(): void {
    clearTimeout(this.late);
    this.shutdown.removeEventListener('abort', this.stop);
  }
}
