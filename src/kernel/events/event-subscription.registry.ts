import { Injectable } from '@nestjs/common';
import type { HubEvent } from './hub-event.js';

/**
 * Handles one event. If it throws, the event is delivered to this subscriber again later. An event may also be
 * repeated after a success, so handlers deduplicate by `event.id` where needed. `signal` aborts at the time limit.
 */
export type EventHandler = (event: HubEvent, signal: AbortSignal) => Promise<void>;

/** A named event handler. */
export interface Subscriber {
  readonly name: string;
  readonly handle: EventHandler;
}

/** Registers which subscribers receive which events. */
@Injectable()
export class EventSubscriptionRegistry {
  private readonly subscribers: (Subscriber & { readonly type: string })[] = [];

  /**
   * Subscribes to events of `type`, or of any type with `*`, with at-least-once delivery. Subscribe in
   * `onModuleInit`: from `onApplicationBootstrap` on, events without a subscriber count as delivered.
   * @param name stable across restarts and unique for the type; a retry identifies the subscribers that received the
   * event by it.
   * @throws Error if the name is already subscribed to this type.
   */
  subscribe(type: string, name: string, handle: EventHandler): void {
    if (this.findSubscribers(type).some(subscriber => subscriber.name === name)) {
      throw new Error(`"${name}" has subscribed to "${type}" already`);
    }
    this.subscribers.push({ type, name, handle });
  }

  /** Returns the subscribers of events of `type`. */
  findSubscribers(type: string): readonly Subscriber[] {
    return this.subscribers.filter(subscriber => subscriber.type === type || subscriber.type === '*');
  }
}
