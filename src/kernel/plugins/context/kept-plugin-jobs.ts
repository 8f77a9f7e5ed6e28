import { Injectable } from '@nestjs/common';
import type { JobOptions } from '#sdk/hub-context.js';
import type { Json } from '#sdk/json.js';
import { EmittedJobs, singletonOf } from '../jobs/emitted-jobs.js';
import { PluginJobs, type PluginScope } from './plugin-ports.js';

/** Keeps the jobs that plugins give themselves, from where the host hands them out. */
@Injectable()
export class KeptPluginJobs extends PluginJobs {
  constructor(private readonly jobs: EmittedJobs) {
    super();
  }

  async emit({ workspaceId, plugin, connectionId }: PluginScope, name: string, data: Json, options: JobOptions) {
    const { key, delayMs = 0, wake = false } = options;
    const deduplication = key === undefined ? {} : { dedupeKey: singletonOf(connectionId, name, key), wake };
    const job = { plugin, kind: 'job', name, payload: data, connectionId, delayMs, ...deduplication } as const;
    await this.jobs.add(workspaceId, [job]);
  }
}
