import { Inject, Injectable } from '@nestjs/common';
import type { JobQueue } from '#kernel/queue/queue-backend.js';
import { Queues } from '#kernel/queue/queues.js';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import { PLUGIN_JOB_OPTIONS, type PluginJobOptions } from './job.options.js';
import type { AddressedMessage } from './job.store.js';
import type { JobMessage } from './plugin-job.js';

/** Returns the name of a plugin's queue. */
export function toQueueName(plugin: string): string {
  return `plugin-${plugin}`;
}

/**
 * The queues for messages of jobs, one per plugin, opened when first needed. The jobs are in the database, so queues do
 * not retain finished messages.
 */
@Injectable()
export class PluginQueues {
  private readonly opened = new Map<string, Promise<JobQueue<JobMessage>>>();

  constructor(
    private readonly queues: Queues,
    @Inject(PLUGIN_JOB_OPTIONS) private readonly settings: PluginJobOptions,
  ) {}

  /** Adds messages to the queues of their plugins; a queue ignores a message that it already has. */
  async add(messages: readonly AddressedMessage[]): Promise<void> {
    const byPlugin = Map.groupBy(messages, ({ plugin }) => plugin);
    const additions = [...byPlugin].map(async ([plugin, pluginMessages]) => {
      const queue = await this.getQueue(plugin);
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

  private getQueue(plugin: string): Promise<JobQueue<JobMessage>> {
    const known = this.opened.get(plugin);
    if (known) return known;
    const opening = this.queues.openQueue<JobMessage>(toQueueName(plugin), {
      removeOnComplete: true,
      removeOnFail: true,
    });
    this.opened.set(plugin, opening);
    opening.catch(() => this.opened.delete(plugin));
    return opening;
  }
}
