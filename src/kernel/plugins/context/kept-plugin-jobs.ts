import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { JobOptions } from '#sdk/hub-context.js';
import type { Json } from '#sdk/json.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { insertJobs } from '../jobs/insert-jobs.js';
import { PluginJobs, type PluginScope } from './plugin-ports.js';

/** Keeps the jobs that plugins give themselves, from where the host hands them out. */
@Injectable()
export class KeptPluginJobs extends PluginJobs {
  constructor(private readonly work: UnitOfWork) {
    super();
  }

  async emit({ workspaceId, plugin, connectionId }: PluginScope, name: string, data: Json, options: JobOptions) {
    const { key, delayMs = 0 } = options;
    const singleton = key === undefined ? undefined : hash('sha256', JSON.stringify([connectionId, name, key]));
    const job = {
      plugin,
      kind: 'job' as const,
      name,
      payload: data,
      connectionId,
      delayMs,
      ...(singleton && { singleton }),
    };
    await this.work.run(workspaceId, async tx => insertJobs(tx, [job]));
  }
}
