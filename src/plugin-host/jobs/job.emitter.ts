import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { enqueueJobs } from './enqueue-jobs.js';
import { JobDispatcher } from './job.dispatcher.js';
import type { NewPluginJob } from './plugin-job.js';

/** Enqueues jobs for plugins, each call in a transaction of its own. */
@Injectable()
export class JobEmitter {
  constructor(
    private readonly work: UnitOfWork,
    private readonly dispatcher: JobDispatcher,
  ) {}

  /** Enqueues jobs and wakes the dispatcher when the first one is due; resolves once they are committed. */
  async emit(workspaceId: string, jobs: readonly NewPluginJob[]): Promise<void> {
    await this.work.run(workspaceId, async tx => enqueueJobs(tx, jobs));
    this.dispatcher.wakeIn(Math.min(...jobs.map(({ delayMs = 0 }) => delayMs)));
  }
}

/** Returns the key by which jobs of a plugin with the same connection, name and key are deduplicated. */
export function computeDedupeKey(connectionId: string | null, name: string, key: string): string {
  return hash('sha256', JSON.stringify([connectionId, name, key]));
}
