import { Inject, Injectable } from '@nestjs/common';
import type { HeldJob } from '#kernel/queue/queue.backend.js';
import { reasonOf } from '#kernel/queue/sparing.log.js';
import { EventSubscriptions, type Subscriber } from './event-subscriptions.js';
import type { EventJob } from './event.queue.js';
import { EVENT_SETTINGS, type EventSettings } from './event.settings.js';
import type { HubEvent } from './hub-event.js';

/** Not every subscriber took the event; the message says who did not, and why. */
export class NotTaken extends Error {}

/** Hands one event to everybody who wants it and has not had it. */
@Injectable()
export class EventDelivery {
  constructor(
    private readonly subscriptions: EventSubscriptions,
    @Inject(EVENT_SETTINGS) private readonly settings: EventSettings,
  ) {}

  /**
   * Calls all subscribers at once. Those who took the event are remembered with the job, so that the next try spares
   * them.
   * @throws NotTaken if one of them failed or took longer than the delivery timeout.
   */
  async deliver(job: HeldJob<EventJob>, signal: AbortSignal): Promise<void> {
    const { event, taken } = job.data;
    const waiting = this.subscriptions.of(event.type).filter(({ name }) => !taken.includes(name));
    const outcomes = await this.callAll(waiting, event, signal);
    const refusals = outcomes.filter(({ refusal }) => refusal !== undefined);
    if (refusals.length === 0) return;
    const had = outcomes.filter(({ refusal }) => refusal === undefined).map(({ name }) => name);
    if (had.length > 0) await job.updateData({ event, taken: [...taken, ...had] });
    throw new NotTaken(refusals.map(({ name, refusal }) => `${name}: ${refusal}`).join('; '));
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
