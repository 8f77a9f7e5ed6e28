import type { OutgoingEvent } from '#kernel/db/transaction.js';
import type { NewPluginJob } from '../jobs/plugin-job.js';

/** Jobs and events of a step of a run, which are committed with its state. */
export interface StepEffects {
  readonly jobs: NewPluginJob[];
  readonly events: OutgoingEvent[];
}
