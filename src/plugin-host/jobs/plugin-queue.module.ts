import { getQueueToken, Processor } from '@nestjs/bullmq';
import { type DynamicModule, Injectable, Module, type Type } from '@nestjs/common';
import type { PluginManifest } from '#sdk/manifest.js';
import { registerQueueOn } from '#kernel/queue/bull.js';
import type { HubQueue } from '#kernel/queue/hub-queue.js';
import { type ActiveJob, JobProcessor } from '#kernel/queue/job-processor.js';
import type { QueueServer } from '#kernel/queue/queue-server.js';
import { computeConcurrency } from './job.options.js';
import type { JobMessage } from './plugin-job.js';
import type { PluginWorker } from './plugin-worker.js';

/** Receives the messages of one plugin and passes them to its {@link PluginWorker}. */
@Injectable()
export abstract class PluginProcessor extends JobProcessor<JobMessage> {
  private pluginWorker: PluginWorker | undefined;

  /** Starts to fetch messages. */
  async start(pluginWorker: PluginWorker): Promise<void> {
    this.pluginWorker = pluginWorker;
    await this.hubWorker.start();
  }

  async run(job: ActiveJob<JobMessage>, signal: AbortSignal): Promise<void> {
    await this.pluginWorker!.run(job, signal);
  }

  async onExhausted(job: ActiveJob<JobMessage>, error: Error): Promise<void> {
    await this.pluginWorker!.onExhausted(job, error);
  }
}

/** Returns the name of a plugin's queue. */
function toQueueName(plugin: string): string {
  return `plugin-${plugin}`;
}

/** Returns the injection token of a plugin's queue in its container. */
export function pluginQueueToken(plugin: string): Type<HubQueue> {
  return getQueueToken(toQueueName(plugin)) as unknown as Type<HubQueue>;
}

/**
 * Registers the queue of a plugin in the plugin's container, and its processor where this process runs jobs. The jobs
 * are in the database, so the queue does not retain finished messages.
 */
@Module({})
export class PluginQueueModule {
  static forPlugin({ id, ...manifest }: PluginManifest, server: QueueServer, runsJobs: boolean): DynamicModule {
    const name = toQueueName(id);
    const concurrency = computeConcurrency(manifest);
    // A decorator of its own for each plugin: @nestjs/bullmq reads the queue and its options from the class.
    @Processor(name, { concurrency })
    class Processing extends PluginProcessor {}
    return {
      module: PluginQueueModule,
      imports: [registerQueueOn(server, name, { removeOnComplete: true, removeOnFail: true })],
      providers: runsJobs ? [{ provide: PluginProcessor, useClass: Processing }] : [],
    };
  }
}
