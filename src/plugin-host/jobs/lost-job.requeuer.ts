import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { JobDispatcher } from './job.dispatcher.js';
import { PLUGIN_JOB_OPTIONS, type PluginJobOptions } from './job.options.js';
import { JobStore } from './job.store.js';

const BATCH_SIZE = 5_000;

/** Re-queues jobs that were queued long ago and never finished, because the queues may have been wiped. */
@Injectable()
export class LostJobRequeuer extends PeriodicTask {
  constructor(
    private readonly store: JobStore,
    private readonly dispatcher: JobDispatcher,
    @Inject(PLUGIN_JOB_OPTIONS) private readonly options: PluginJobOptions,
  ) {
    super({
      intervalMs: options.requeueIntervalMs,
      loggerName: 'plugins',
      failureMessage: 'Lost jobs cannot be re-queued',
    });
  }

  protected async run(): Promise<void> {
    if ((await this.store.requeueOverdue(this.options.lostAfterMs, BATCH_SIZE)) > 0) this.dispatcher.wake();
  }
}
