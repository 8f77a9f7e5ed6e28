import { Injectable } from '@nestjs/common';
import { toIso } from '#domain/time/instant.js';
import type { JobKind, PluginJobRecord } from './plugin-job.js';

/** Returns the first argument of a handler for a job; undefined if the data that the job refers to has been deleted. */
export type PayloadLoader = (job: PluginJobRecord) => unknown;

/** Registry of payload loaders by kind of job. */
@Injectable()
export class PayloadLoaders {
  private readonly loaders = new Map<JobKind, PayloadLoader>([
    ['job', ({ id, name, payload, attempts }) => ({ id, name, data: payload, attempt: attempts + 1 })],
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
