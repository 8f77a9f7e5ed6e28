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

/** Which row of the outbox is meant. */
export type EventRef = Pick<HubEvent, 'id' | 'workspaceId'>;

/** An event whose delivery was given up. It stays in the outbox until somebody sends it again. */
export interface FailedEvent extends HubEvent {
  readonly failedAt: Instant;
  readonly reason: string;
}
