import { Injectable } from '@nestjs/common';
import { toIso } from '#domain/time/instant.js';
import type { JobKind, PluginJob } from './plugin-job.js';

/** Makes the first argument of a handler from a job; undefined when what it stands for is gone. */
export type JobReader = (job: PluginJob) => unknown;

/** How the jobs of each kind are shown to their handlers. */
@Injectable()
export class JobReaders {
  private readonly readers = new Map<JobKind, JobReader>([
    ['job', ({ id, name, payload, attempts }) => ({ id, name, data: payload, attempt: attempts + 1 })],
    ['event', ({ payload }) => (isMany(payload) ? payload.map(eventOf) : eventOf(payload as StoredEvent))],
  ]);

  /** Has jobs of a kind read by `reader`. */
  add(kind: JobKind, reader: JobReader): void {
    this.readers.set(kind, reader);
  }

  /** The first argument for the handler. */
  async read(job: PluginJob): Promise<unknown> {
    return this.readers.get(job.kind)?.(job);
  }
}

/** An event as it is kept for a plugin; the time in microseconds. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly occurredAt: number;
}

function isMany(payload: unknown): payload is readonly StoredEvent[] {
  return Array.isArray(payload);
}

function eventOf({ occurredAt, ...event }: StoredEvent) {
  return { ...event, occurredAt: new Date(toIso(occurredAt)) };
}
