import { Inject, Injectable } from '@nestjs/common';
import type { HeldJob } from '#kernel/queue/job.handler.js';
import { reasonOf } from '#kernel/queue/sparing.log.js';
import { EventSubscriptions, type Subscriber } from './event-subscriptions.js';
import type { EventJob } from './event.queue.js';
import { EVENT_SETTINGS, type EventSettings } from './event.settings.js';
import { type BatchedEvent, type EventBatch, eventOf, type HubEvent } from './hub-event.js';

/** Not every subscriber took the event; the message says who did not, and why. */
export class NotTaken extends Error {}

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
   * Calls the subscribers of all events of a job at once, and tells `confirm` of which batches everybody has taken all
   * events. The job keeps the other events and who has had them, so that the next try spares those.
   * @throws NotTaken if a subscriber failed or took longer than the delivery timeout.
   */
  async deliver(
    job: HeldJob<EventJob>,
    signal: AbortSignal,
    confirm: (batches: EventBatch[]) => Promise<void>,
  ): Promise<void> {
    const { batches, taken } = job.data;
    const delivered = await Promise.all(batches.map(batch => this.deliverBatch(batch, taken, signal)));
    const refused = delivered.map(events => events.filter(({ refusals }) => refusals.length > 0));
    const done = batches.filter((_, i) => refused[i]!.length === 0);
    if (done.length > 0) await confirm(done);
    const left = refused.flat();
    if (left.length === 0) return;
    const remaining = batches.map((batch, i) => ({ ...batch, events: refused[i]!.map(({ event }) => event) }));
    await job.updateData({
      batches: remaining.filter(({ events }) => events.length > 0),
      taken: Object.fromEntries(left.map(each => [each.event.id, each.taken])),
    });
    throw new NotTaken([...new Set(left.flatMap(({ refusals }) => refusals))].join('; '));
  }

  private deliverBatch(batch: EventBatch, taken: EventJob['taken'], signal: AbortSignal): Promise<Delivered[]> {
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
    const waiting = this.subscriptions.of(event.type).filter(({ name }) => !taken.includes(name));
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
