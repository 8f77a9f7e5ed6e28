import { Inject, Injectable, type DynamicModule, Module, type Type } from '@nestjs/common';
import { getQueueToken, Processor } from '@nestjs/bullmq';
import type { JobQueue, HubQueue } from '#kernel/queue/hub-queue.js';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { registerQueueOn } from '#kernel/queue/bull.js';
import { type ActiveJob, JobProcessor } from '#kernel/queue/hub-worker.js';
import type { QueueServer } from '#kernel/queue/queue-server.js';
import { PLUGIN_JOB_OPTIONS, type PluginJobOptions, computeConcurrency } from './job.options.js';
import type { AddressedMessage } from './job.store.js';
import type { JobMessage } from './plugin-job.js';
import type { PluginWorker } from './plugin-worker.js';

/**
 * The queues for messages of jobs, one per running plugin with handlers for jobs, events or webhooks. Their containers
 * open and close them.
 */
@Injectable()
export class PluginQueues {
  private readonly queues = new Map<string, JobQueue<JobMessage>>();

  constructor(@Inject(PLUGIN_JOB_OPTIONS) private readonly settings: PluginJobOptions) {}

  /** Returns the IDs of the plugins that have a queue. */
  listPlugins(): string[] {
    return [...this.queues.keys()];
  }

  /** Sets the queue of a plugin, by ID. */
  set(plugin: string, queue: JobQueue<JobMessage>): void {
    this.queues.set(plugin, queue);
  }

  /** Removes the queue of a plugin before it is closed. */
  delete(plugin: string): void {
    this.queues.delete(plugin);
  }

  /**
   * Adds messages to the queues of their plugins; a queue ignores a message that it already has.
   * @throws Error if a plugin was closed since {@link listPlugins}, or the server does not accept the messages in time
   */
  async add(messages: readonly AddressedMessage[]): Promise<void> {
    const byPlugin = Map.groupBy(messages, ({ plugin }) => plugin);
    const additions = [...byPlugin].map(async ([plugin, pluginMessages]) => {
      const queue = this.queues.get(plugin);
      if (!queue) throw new Error(`The queue of the plugin "${plugin}" was closed.`);
      await queue.addBulk(
        pluginMessages.map(({ workspaceId, id, dispatchSeq }) => ({
          name: 'run',
          data: { workspaceId, id, dispatchSeq },
          opts: { jobId: `${id}-${dispatchSeq}` },
        })),
      );
    });
    await withTimeout(this.settings.addTimeoutMs, Promise.all(additions), 'adding to the queues of plugins');
  }
}

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
