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
  /** While a job with the same plugin and key waits or runs, no other one is added. Default: every job is. */
  readonly dedupeKey?: string;
  /** Milliseconds from now until it may run. Default 0. */
  readonly delayMs?: number;
  /** With a `dedupeKey`: a waiting job is brought forward, a running one runs once more afterwards. */
  readonly wake?: boolean;
}

/** Which row is meant. */
export interface JobRef {
  readonly workspaceId: string;
  readonly id: string;
}

/** A row as it travels in the queue: `dispatchSeq` tells apart the times that it was dispatched. */
export interface JobMessage extends JobRef {
  readonly dispatchSeq: number;
}

/** A job at hand. */
export interface PluginJobRecord extends JobMessage {
  readonly plugin: string;
  readonly kind: JobKind;
  readonly name: string;
  readonly payload: unknown;
  readonly connectionId: string | null;
  /** Attempts that have failed so far. */
  readonly attempts: number;
  /** How often in a row the plugin has deferred the job. */
  readonly deferrals: number;
  readonly createdAt: Instant;
  /** It has a `dedupeKey`, so a rerun may have been requested while it ran. */
  readonly isDeduplicated: boolean;
  /** The plan of the workspace now; null when the workspace is gone. */
  readonly plan: Plan | null;
}

/** A job that will not be tried again until somebody sends it. */
export interface DeadLetter extends JobRef {
  readonly plugin: string;
  readonly kind: JobKind;
  readonly name: string;
  readonly tries: number;
  readonly createdAt: Instant;
  readonly failedAt: Instant;
  readonly reason: string;
}
