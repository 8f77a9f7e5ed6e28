import { Module } from '@nestjs/common';
import { EmittedJobs } from './emitted-jobs.js';
import { jobDefaults, JOB_SETTINGS } from './job.settings.js';
import { JobDispatcher } from './job-dispatcher.js';
import { JobReaders } from './job-readers.js';
import { JobReaper } from './job-reaper.js';
import { JobStore } from './job-store.js';
import { JobUnlocker } from './job-unlocker.js';
import { PluginMetrics } from './plugin-metrics.js';
import { PluginQueues } from './plugin-queues.js';

/** Work for plugins on its way: kept in the database, handed out fairly. Who does it is the host's matter. */
@Module({
  providers: [
    { provide: JOB_SETTINGS, useValue: jobDefaults },
    JobStore,
    PluginQueues,
    JobDispatcher,
    JobReaper,
    JobUnlocker,
    EmittedJobs,
    JobReaders,
    PluginMetrics,
  ],
  exports: [JobStore, JobDispatcher, EmittedJobs, JobReaders, PluginMetrics],
})
export class PluginJobsModule {}
