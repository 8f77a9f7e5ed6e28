import { Injectable } from '@nestjs/common';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Plan } from '#domain/plans/tiers.js';

/**
 * A job that a plugin emitted itself, an event that it consumes, a webhook from its provider, or a step of a run.
 */
export type JobKind = 'job' | 'event' | 'inbound' | 'run';

/** A job to enqueue. */
export interface NewPluginJob {
  readonly plugin: string;
  readonly kind: JobKind;
  /** Name of the job or the webhook in the manifest, or the type of the event. */
  readonly name: string;
  /** JSON: the data of the job, the event, or the reference to a stored webhook or a run; see `PayloadLoaders`. */
  readonly payload: unknown;
  /** The connection that the job is for; null for a plugin without connections. */
  readonly connectionId: string | null;
  /** A job whose ID exists is not enqueued. Default: a new ID. */
  readonly id?: string;
  /** While a job with the same plugin and key waits or runs, no other one is enqueued. Default: no deduplication. */
  readonly dedupeKey?: string;
  /** Milliseconds from now until it may run. Default 0. */
  readonly delayMs?: number;
  /** With a `dedupeKey`: a waiting duplicate is brought forward, a running one runs once more afterwards. */
  readonly wake?: boolean;
}

/** Identifies a job. */
export interface JobRef {
  readonly workspaceId: string;
  readonly id: string;
}

/** The message in the queue that refers to a job. `dispatchSeq` is the number of the dispatch. */
export interface JobMessage extends JobRef {
  readonly dispatchSeq: number;
}

/** A stored job. */
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

/** A job that is not retried until an operator re-queues it. */
export interface DeadLetter extends JobRef {
  readonly plugin: string;
  readonly kind: JobKind;
  readonly name: string;
  readonly tries: number;
  readonly createdAt: Instant;
  readonly failedAt: Instant;
  readonly reason: string;
}

/** Returns the first argument of a handler for a job; undefined if the data that the job refers to has been deleted. */
export type PayloadLoader = (job: PluginJobRecord) => unknown;

/** Registry of payload loaders by kind of job. */
@Injectable()
export class PayloadLoaders {
  private readonly loaders = new Map<JobKind, PayloadLoader>([
    ['job', ({ id, name, payload, attempts }) => ({ id, name, data: payload, attempt: attempts + 1 })],
    ['run', ({ payload }) => payload],
    ['event', ({ payload }) => (isEventList(payload) ? payload.map(toEvent) : toEvent(payload as StoredEvent))],
  ]);

  /** Registers the loader for jobs of a kind. */
  register(kind: JobKind, loader: PayloadLoader): void {
    this.loaders.set(kind, loader);
  }

  /** Returns the first argument of the handler for a job; undefined if its data has been deleted. */
  async load(job: PluginJobRecord): Promise<unknown> {
    return this.loaders.get(job.kind)?.(job);
  }
}

/** An event as it is stored in a job. `occurredAt` is in microseconds since 1970. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly occurredAt: number;
}

function isEventList(payload: unknown): payload is readonly StoredEvent[] {
  return Array.isArray(payload);
}

function toEvent({ occurredAt, ...event }: StoredEvent) {
  return { ...event, occurredAt: new Date(toIso(occurredAt)) };
}
