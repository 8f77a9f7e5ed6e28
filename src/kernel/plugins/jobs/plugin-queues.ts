import { Inject, Injectable } from '@nestjs/common';
import type { JobQueue } from '#kernel/queue/queue.backend.js';
import { Queues } from '#kernel/queue/queues.js';
import { within } from '#kernel/queue/within.js';
import { JOB_SETTINGS, type JobSettings } from './job.settings.js';
import type { AddressedTicket } from './job-store.js';
import type { JobTicket } from './plugin-job.js';

/** The queue of a plugin. */
export function queueName(plugin: string): string {
  return `plugin-${plugin}`;
}

/**
 * The queues that tickets of jobs travel in, one for each plugin and opened when it is first needed. What a ticket
 * stands for is in the database, so queues forget tickets as they end.
 */
@Injectable()
export class PluginQueues {
  private readonly open = new Map<string, Promise<JobQueue<JobTicket>>>();

  constructor(
    private readonly queues: Queues,
    @Inject(JOB_SETTINGS) private readonly settings: JobSettings,
  ) {}

  /** Adds tickets to the queues of their plugins; one that a queue knows already is left out there. */
  async add(tickets: readonly AddressedTicket[]): Promise<void> {
    const byPlugin = Map.groupBy(tickets, ({ plugin }) => plugin);
    const added = [...byPlugin].map(async ([plugin, own]) => {
      const queue = await this.of(plugin);
      await queue.addBulk(
        own.map(({ workspaceId, id, dispatchSeq }) => ({
          name: 'run',
          data: { workspaceId, id, dispatchSeq },
          opts: { jobId: `${id}-${dispatchSeq}` },
        })),
      );
    });
    await within(this.settings.addTimeoutMs, Promise.all(added), 'adding to the queues of plugins');
  }

  private of(plugin: string): Promise<JobQueue<JobTicket>> {
    const known = this.open.get(plugin);
    if (known) return known;
    const opening = this.queues.queue<JobTicket>(queueName(plugin), { removeOnComplete: true, removeOnFail: true });
    this.open.set(plugin, opening);
    opening.catch(() => this.open.delete(plugin));
    return opening;
  }
}
