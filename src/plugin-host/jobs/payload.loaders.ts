import { Injectable } from '@nestjs/common';
import { toIso } from '#domain/time/instant.js';
import type { JobKind, PluginJobRecord } from './plugin-job.js';

/** Makes the first argument of a handler from a job; undefined when what it stands for is gone. */
export type PayloadLoader = (job: PluginJobRecord) => unknown;

/** How the jobs of each kind are shown to their handlers. */
@Injectable()
export class PayloadLoaders {
  private readonly loaders = new Map<JobKind, PayloadLoader>([
    ['job', ({ id, name, payload, attempts }) => ({ id, name, data: payload, attempt: attempts + 1 })],
    ['event', ({ payload }) => (isEventList(payload) ? payload.map(toEvent) : toEvent(payload as StoredEvent))],
  ]);

  /** Has jobs of a kind read by `reader`. */
  register(kind: JobKind, loader: PayloadLoader): void {
    this.loaders.set(kind, loader);
  }

  /** The first argument for the handler. */
  async load(job: PluginJobRecord): Promise<unknown> {
    return this.loaders.get(job.kind)?.(job);
  }
}

/** An event as it is kept for a plugin; the time in microseconds. */
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
