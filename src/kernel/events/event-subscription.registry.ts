import { Injectable } from '@nestjs/common';
import type { HubEvent } from './hub-event.js';

/**
 * Takes one event. Throwing has the event delivered to this subscriber again later; it may also come again after a
 * success, so `event.id` should be remembered where twice would do harm. `signal` aborts when the time is up.
 */
export type EventHandler = (event: HubEvent, signal: AbortSignal) => Promise<void>;

/** One who listens. */
export interface Subscriber {
  readonly name: string;
  readonly handle: EventHandler;
}

/** Who listens to which events. */
@Injectable()
export class EventSubscriptionRegistry {
  private readonly subscribers: (Subscriber & { readonly type: string })[] = [];

  /**
   * Has `handle` called at least once for every event of `type`, or of any type for `*`. Subscribe in `onModuleInit`:
   * from `onApplicationBootstrap` on, events without a subscriber count as delivered.
   * @param name stable across restarts and unique for the type: by it a retry knows who has had the event.
   */
  subscribe(type: string, name: string, handle: EventHandler): void {
    if (this.findSubscribers(type).some(subscriber => subscriber.name === name)) {
      throw new Error(`"${name}" has subscribed to "${type}" already`);
    }
    this.subscribers.push({ type, name, handle });
  }

  /** Those who want events of `type`. */
  findSubscribers(type: string): readonly Subscriber[] {
    return this.subscribers.filter(subscriber => subscriber.type === type || subscriber.type === '*');
  }
}
