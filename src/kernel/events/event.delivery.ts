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
   * taken all events.
   * @param taken who has had which of the events before.
   * @throws NotTaken if a subscriber failed or took longer than the delivery timeout; it holds the other batches, and who
   * has had of their events by now, so that the next try spares those.
   */
  async deliver(
    batches: readonly EventBatch[],
    taken: Taken,
    signal: AbortSignal,
    confirm: (batches: EventBatch[]) => Promise<void>,
  ): Promise<void> {
    const delivered = await Promise.all(batches.map(batch => this.deliverBatch(batch, taken, signal)));
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

  private deliverBatch(batch: EventBatch, taken: Taken, signal: AbortSignal): Promise<Delivered[]> {
    return Promise.all(
      batch.events.map(async event => ({
        event,
        ...(await this.deliverOne(eventOf(batch, event), taken[event.id] ?? [], signal)),
      })),
    );
  }

  private async deliverOne(
    event: HubEvent,
    taken: readonly string[],
    signal: AbortSignal,
  ): Promise<Omit<Delivered, 'event'>> {
    const waiting = this.waitingFor(event, taken);
    if (waiting.length === 0) return { taken, refusals: [] };
    const outcomes = await this.callAll(waiting, event, signal);
    const had = outcomes.filter(({ refusal }) => refusal === undefined).map(({ name }) => name);
    const refusals = outcomes.flatMap(({ name, refusal }) => (refusal === undefined ? [] : [`${name}: ${refusal}`]));
    return { taken: [...taken, ...had], refusals };
  }

  private async callAll(subscribers: readonly Subscriber[], event: HubEvent, shutdown: AbortSignal) {
    const limit = new AbortController();
    const late = setTimeout(() => limit.abort(this.tookTooLong()), this.settings.deliveryTimeoutMs);
    const stop = () => limit.abort(shutdown.reason);
    shutdown.addEventListener('abort', stop, { once: true });
    const calls = subscribers.map(async ({ name, handle }) => {
      try {
        await untilAborted(handle(event, limit.signal), limit.signal);
        return { name, refusal: undefined };
      } catch (error) {
        return { name, refusal: reasonOf(error) };
      }
    });
    const outcomes = await Promise.all(calls);
    clearTimeout(late);
    shutdown.removeEventListener('abort', stop);
    return outcomes;
  }

  private tookTooLong(): Error {
    return new Error(`took longer than ${this.settings.deliveryTimeoutMs} ms`);
  }
}

function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
