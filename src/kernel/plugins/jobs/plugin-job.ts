import type { Instant } from '#domain/time/instant.js';
import type { Plan } from '#domain/plans/tiers.js';

/** A job that a plugin has given itself, an event that it listens to, or a webhook of its provider. */
export type JobKind = 'job' | 'event' | 'inbound';

/** Work for a plugin that is to be kept with the transaction at hand. */
export interface NewPluginJob {
  readonly plugin: string;
  readonly kind: JobKind;
  /** Name of the job or the webhook in the manifest, or the type of the event. */
  readonly name: string;
  /** JSON: the data of the job, the event, or where the webhook was put (see `JobReaders`). */
  readonly payload: unknown;
  /** The connection that it is done for; null for a plugin without one. */
  readonly connectionId: string | null;
  /** The same id is kept once. Default: a new one. */
  readonly id?: string;
  /** While a job of the same plugin and singleton waits or runs, no other one is kept. Default: every job is. */
  readonly singleton?: string;
  /** Milliseconds from now until it may run. Default 0. */
  readonly delayMs?: number;
  /** With a singleton: the one that waits is brought forward, the one that is at work comes once more. */
  readonly wake?: boolean;
}

/** Which row is meant. */
export interface JobRef {
  readonly workspaceId: string;
  readonly id: string;
}

/** A row as it travels in the queue: `round` tells apart the times that it was sent. */
export interface JobTicket extends JobRef {
  readonly round: number;
}

/** A job at hand. */
export interface PluginJob extends JobTicket {
  readonly plugin: string;
  readonly kind: JobKind;
  readonly name: string;
  readonly payload: unknown;
  readonly connectionId: string | null;
  /** Tries that have failed so far. */
  readonly tries: number;
  /** How often in a row the plugin has asked to be tried again later. */
  readonly postponed: number;
  readonly createdAt: Instant;
  /** It has a singleton, so it may have been asked to come once more while it was at work. */
  readonly isSingleton: boolean;
  /** The plan of the workspace now; null when the workspace is gone. */
  readonly plan: Plan | null;
}

/** A job that will not be tried again until somebody sends it. */
export interface DeadJob extends JobRef {
  readonly plugin: string;
  readonly kind: JobKind;
  readonly name: string;
  readonly tries: number;
  readonly createdAt: Instant;
  readonly failedAt: Instant;
  readonly reason: string;
}
