import type { OutgoingEvent } from '#kernel/db/transaction.js';
import type { NewPluginJob } from '../jobs/plugin-job.js';
import { v5 as uuidv5 } from 'uuid';
import type { Instant } from '#domain/time/instant.js';
import type { Json } from '#sdk/schema.js';
import type { RunProgress, RunStatus } from '#sdk/runs.js';

/** Jobs and events of a step of a run, which are committed with its state. */
export interface StepEffects {
  readonly jobs: NewPluginJob[];
  readonly events: OutgoingEvent[];
}

/** Namespace of the IDs of the jobs that execute steps, which are derived, so that a step is never enqueued twice. */
const STEP_ID_NAMESPACE = '3e0f9d52-6c3a-4b11-9a55-5d1f0a3c7b90';

/** Statuses in the order of the life of a run. */
export const RUN_STATUSES = [
  'queued',
  'running',
  'paused',
  'finished',
  'failed',
  'cancelled',
] as const satisfies readonly RunStatus[];

/** Statuses of runs that have not ended. */
export const UNFINISHED: readonly RunStatus[] = ['queued', 'running', 'paused'];

/** Identifies a run. */
export interface RunRef {
  readonly workspaceId: string;
  readonly id: string;
}

/** A stored run. */
export interface RunRecord {
  readonly id: string;
  readonly plugin: string;
  readonly name: string;
  readonly connectionId: string | null;
  readonly status: RunStatus;
  /** Number of the step that is next or running, from 1. */
  readonly step: number;
  readonly done: number;
  readonly total: number | null;
  readonly message: string | null;
  readonly reported: number;
  readonly result: Json;
  readonly error: string | null;
  /** How often the current step was enqueued again by a user. */
  readonly dispatches: number;
  readonly createdAt: Instant;
  readonly startedAt: Instant | null;
  readonly updatedAt: Instant;
  readonly finishedAt: Instant | null;
}

/** A run with what its next step is called with. */
export interface ClaimedRun extends RunRecord {
  readonly input: Json;
  readonly state: Json;
}

/** The payload of the job that executes a step. */
export interface StepPayload {
  readonly run: string;
  readonly step: number;
}

/** Returns the progress of a run. */
export function toProgress({ done, total, message }: RunRecord): RunProgress {
  return { done, total, message };
}

/** Returns the job that executes the current step of a run. */
export function toStepJob({ id, plugin, name, connectionId, step, dispatches }: RunRecord): NewPluginJob {
  return {
    plugin,
    kind: 'run',
    name,
    payload: { run: id, step } satisfies StepPayload,
    connectionId,
    id: uuidv5(`${id} ${step} ${dispatches}`, STEP_ID_NAMESPACE),
  };
}
