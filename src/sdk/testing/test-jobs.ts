import type { EventsPort, JobOptions, JobsPort } from '../hub-context.js';
import type { JsonObject, Json } from '../schema.js';
import type { PluginManifest } from '../manifest/manifest.js';
import { requireFit } from './schemas.js';

/**
 * An event published by the plugin.
 * @example expect(hub.events.published).toEqual([{ type: 'acme-dialer.called', payload: { call_id: 'c-1' } }]);
 */
export interface PublishedEvent {
  readonly type: string;
  readonly payload: JsonObject;
}

/** Validates the events of the plugin against the manifest and records them. */
export class TestEvents implements EventsPort {
  readonly published: PublishedEvent[] = [];
  /** Set during a repeated delivery: events are validated but not recorded. */
  isMuted = false;

  constructor(private readonly manifest: PluginManifest) {}

  async emit(type: string, payload: JsonObject): Promise<void> {
    const schema = this.manifest.emits?.[type];
    if (!schema) throw new Error(`The manifest lists no event "${type}": add it to "emits", with its schema.`);
    requireFit(`The payload of "${type}"`, schema, payload);
    if (!this.isMuted) this.published.push({ type, payload });
  }
}

const MAX_DATA_BYTES = 262_144;

/**
 * A waiting job.
 * @example expect(hub.jobs.waiting).toMatchObject([{ name: 'backfill', data: { email: 'ada@acme.io' } }]);
 */
export interface PendingJob {
  readonly name: string;
  readonly data: Json;
  readonly key?: string;
  /** Earliest time at which the job runs. */
  readonly due: Date;
}

/** The job queue of the plugin. Jobs wait until `hub.drain()`, or until the clock has reached their time. */
export class TestJobs implements JobsPort {
  /** Waiting jobs in the order in which they were queued. */
  readonly waiting: PendingJob[] = [];
  /** Set during a repeated delivery: jobs are validated but not queued. */
  isMuted = false;
  private readonly lastRun = new Map<string, number>();

  constructor(
    private readonly manifest: PluginManifest,
    private readonly now: () => Date,
  ) {
    for (const name of Object.keys(manifest.jobs ?? {})) this.lastRun.set(name, now().getTime());
  }

  async emit(name: string, data: Json, { key, delayMs = 0, wake = false }: JobOptions = {}): Promise<void> {
    if (!this.manifest.jobs?.[name]) {
      throw new Error(
        `The manifest declares no job "${name}": add it to "jobs", with a method that has @OnJob('${name}').`,
      );
    }
    requireFit(`The data of the job "${name}"`, this.manifest.jobs[name].data, data);
    const text = JSON.stringify(data) as string | undefined;
    if (text === undefined) throw new TypeError(`The data of the job "${name}" is not JSON.`);
    if (Buffer.byteLength(text) > MAX_DATA_BYTES) throw new RangeError(`The data of the job "${name}" exceeds 256 kB.`);
    if (this.isMuted) return;
    const due = new Date(this.now().getTime() + delayMs);
    const known = key === undefined ? -1 : this.waiting.findIndex(job => job.name === name && job.key === key);
    const other = this.waiting[known];
    if (other) {
      if (wake && due < other.due) this.waiting[known] = { ...other, due };
      return;
    }
    this.waiting.push({ name, data: JSON.parse(text) as Json, due, ...(key !== undefined && { key }) });
  }

  /** Removes and returns the next due job; undefined if there is none. */
  takeDue(): PendingJob | undefined {
    const index = this.waiting.findIndex(({ due }) => due <= this.now());
    return index < 0 ? undefined : this.waiting.splice(index, 1)[0];
  }

  /** Returns whether a job is due. */
  hasDue(): boolean {
    return this.waiting.some(({ due }) => due <= this.now());
  }

  /** Returns the periodic jobs that are due, each once, however far the clock has advanced. */
  takePeriodic(): string[] {
    const now = this.now().getTime();
    const due = Object.entries(this.manifest.jobs ?? {}).filter(
      ([name, { everyMs }]) => everyMs !== undefined && now - (this.lastRun.get(name) ?? now) >= everyMs,
    );
    for (const [name] of due) this.lastRun.set(name, now);
    return due.map(([name]) => name);
  }
}
