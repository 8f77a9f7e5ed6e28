import { Inject, Injectable } from '@nestjs/common';
import { Rounds } from '#kernel/rounds/rounds.js';
import { JobDispatcher } from './job-dispatcher.js';
import { JOB_SETTINGS, type JobSettings } from './job.settings.js';
import { JobStore } from './job-store.js';

const AT_ONCE = 5_000;

/** The queues may have been wiped: what was queued long ago and never ended waits again. */
@Injectable()
export class JobReaper extends Rounds {
  constructor(
    private readonly store: JobStore,
    private readonly dispatcher: JobDispatcher,
    @Inject(JOB_SETTINGS) private readonly jobs: JobSettings,
  ) {
    super({ everyMs: jobs.reapEveryMs, log: 'plugins', trouble: 'Jobs that never ended cannot be looked for' });
  }

  protected async round(): Promise<void> {
    if ((await this.store.returnOverdue(this.jobs.overdueAfterMs, AT_ONCE)) > 0) this.dispatcher.wake();
  }
}
