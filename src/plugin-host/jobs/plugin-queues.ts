import { Inject, Injectable } from '@nestjs/common';
import type { JobQueue } from '#kernel/queue/hub-queue.js';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import { PLUGIN_JOB_OPTIONS, type PluginJobOptions } from './job.options.js';
import type { AddressedMessage } from './job.store.js';
import type { JobMessage } from './plugin-job.js';

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
