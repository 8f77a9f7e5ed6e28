import { Module } from '@nestjs/common';
import { PluginRegistryModule } from '../host/plugin-registry.module.js';
import { PluginJobsModule } from '../jobs/plugin-jobs.module.js';
import { RunExecutor } from './run.executor.js';
import { RunStore } from './run.store.js';
import { RunSweeper } from './run.sweeper.js';
import { RunsController } from './runs.controller.js';
import { RunsService } from './runs.service.js';

/** Runs of plugins: long work in steps, which are executed as jobs. */
@Module({
  imports: [PluginRegistryModule, PluginJobsModule],
  controllers: [RunsController],
  providers: [RunStore, RunExecutor, RunSweeper, RunsService],
  exports: [RunStore, RunExecutor, RunsService],
})
export class PluginRunsModule {}
