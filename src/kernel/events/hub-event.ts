import type { Instant } from '#domain/time/instant.js';

/** An event as its subscribers see it: something that has been committed in one workspace. */
export interface HubEvent {
  /** The same at every delivery, so it serves to do nothing twice. */
  readonly id: string;
  readonly workspaceId: string;
  /** Such as `observation.recorded`. */
  readonly type: string;
  /** Ids and small facts, never whole entities. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** When the transaction began that it left with. */
  readonly occurredAt: Instant;
}

/** An event without what it shares with the others of its batch. */
export type BatchedEvent = Pick<HubEvent, 'id' | 'type' | 'payload'>;

/** Events of one transaction: one row of the outbox, published and confirmed together. */
export interface EventBatch extends Pick<HubEvent, 'workspaceId' | 'occurredAt'> {
  readonly id: string;
  readonly events: readonly BatchedEvent[];
}

/** Which row of the outbox is meant. */
export type BatchRef = Pick<EventBatch, 'id' | 'workspaceId'>;

/** Who has had events already: names of subscribers by the id of the event. */
export type DeliveredTo = Readonly<Record<string, readonly string[]>>;

/** Events whose delivery was given up. They stay in the outbox until somebody sends them again. */
export interface FailedBatch extends EventBatch {
  readonly failedAt: Instant;
  readonly reason: string;
}

/** An event of a batch as its subscribers see it. */
export function toHubEvent({ workspaceId, occurredAt }: EventBatch, { id, type, payload }: BatchedEvent): HubEvent {
  return { id, workspaceId, type, payload, occurredAt };
}

/** How many events there are in batches. */
export function countEvents(batches: readonly Pick<EventBatch, 'events'>[]): number {
  return batches.reduce((sum, { events }) => sum + events.length, 0);
}
