import { Module } from '@nestjs/common';
import { JobEmitter } from './job.emitter.js';
import { DEFAULT_PLUGIN_JOB_OPTIONS, PLUGIN_JOB_OPTIONS } from './job.options.js';
import { JobDispatcher } from './job.dispatcher.js';
import { PayloadLoaders } from './plugin-job.js';
import { HeldJobReleaser, LostJobRequeuer } from './job.maintenance.js';
import { JobStore } from './job.store.js';
import { PluginMetrics } from './plugin-metrics.js';
import { PluginQueues } from './plugin-queue.module.js';

/** Stores plugin jobs in the database and dispatches them fairly. The host runs the workers. */
@Module({
  providers: [
    { provide: PLUGIN_JOB_OPTIONS, useValue: DEFAULT_PLUGIN_JOB_OPTIONS },
    JobStore,
    PluginQueues,
    JobDispatcher,
    LostJobRequeuer,
    HeldJobReleaser,
    JobEmitter,
    PayloadLoaders,
    PluginMetrics,
  ],
  exports: [JobStore, PluginQueues, JobDispatcher, JobEmitter, PayloadLoaders, PluginMetrics],
})
export class PluginJobsModule {}
