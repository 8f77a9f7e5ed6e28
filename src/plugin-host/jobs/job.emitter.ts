import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { enqueueJobs } from './enqueue-jobs.js';
import { JobDispatcher } from './job.dispatcher.js';
import type { NewPluginJob } from './plugin-job.js';

/** Takes work for plugins in, each time in a transaction of its own. */
@Injectable()
export class JobEmitter {
  constructor(
    private readonly work: UnitOfWork,
    private readonly dispatcher: JobDispatcher,
  ) {}

  /** Keeps jobs and has them handed out; resolves once they are committed. */
  async emit(workspaceId: string, jobs: readonly NewPluginJob[]): Promise<void> {
    await this.work.run(workspaceId, async tx => enqueueJobs(tx, jobs));
    this.dispatcher.wakeIn(Math.min(...jobs.map(({ delayMs = 0 }) => delayMs)));
  }
}

/** What tells jobs of the same name and key apart from all others of the plugin. */
export function computeDedupeKey(connectionId: string | null, name: string, key: string): string {
  return hash('sha256', JSON.stringify([connectionId, name, key]));
}
