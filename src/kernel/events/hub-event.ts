import type { Instant } from '#domain/time/instant.js';

/** An event as delivered to subscribers: a committed change in one workspace. */
export interface HubEvent {
  /** The same at every delivery, so that subscribers can deduplicate by it. */
  readonly id: string;
  readonly workspaceId: string;
  /** Type such as `observation.recorded`. */
  readonly type: string;
  /** IDs and small facts, never whole entities. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Start of the transaction that emitted the event. */
  readonly occurredAt: Instant;
}

/** An event without the fields that its whole batch shares. */
export type BatchedEvent = Pick<HubEvent, 'id' | 'type' | 'payload'>;

/** Up to 100 events of one transaction in one outbox row, published and confirmed together. */
export interface EventBatch extends Pick<HubEvent, 'workspaceId' | 'occurredAt'> {
  readonly id: string;
  readonly events: readonly BatchedEvent[];
}

/** Key of an outbox row. */
export type BatchRef = Pick<EventBatch, 'id' | 'workspaceId'>;

/** Names of the subscribers that have received an event, by its ID. */
export type DeliveredTo = Readonly<Record<string, readonly string[]>>;

/** A dead letter: events whose delivery failed in all attempts. They stay in the outbox until they are redriven. */
export interface FailedBatch extends EventBatch {
  readonly failedAt: Instant;
  readonly reason: string;
}

/** Converts an event of a batch to the form that is delivered. */
export function toHubEvent({ workspaceId, occurredAt }: EventBatch, { id, type, payload }: BatchedEvent): HubEvent {
  return { id, workspaceId, type, payload, occurredAt };
}

/** Counts the events of batches. */
export function countEvents(batches: readonly Pick<EventBatch, 'events'>[]): number {
  return batches.reduce((sum, { events }) => sum + events.length, 0);
}
