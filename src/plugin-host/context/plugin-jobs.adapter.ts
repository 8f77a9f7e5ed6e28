import { Injectable } from '@nestjs/common';
import type { JobOptions } from '#sdk/hub-context.js';
import type { Json } from '#sdk/json.js';
import { JobEmitter, computeDedupeKey } from '../jobs/job.emitter.js';
import { PluginJobsPort, type PluginScope } from './plugin-ports.js';

/** Implements {@link PluginJobsPort} with the job emitter of the host. */
@Injectable()
export class PluginJobsAdapter extends PluginJobsPort {
  constructor(private readonly jobs: JobEmitter) {
    super();
  }

  async emit({ workspaceId, plugin, connectionId }: PluginScope, name: string, data: Json, options: JobOptions) {
    const { key, delayMs = 0, wake = false } = options;
    const deduplication = key === undefined ? {} : { dedupeKey: computeDedupeKey(connectionId, name, key), wake };
    const job = { plugin, kind: 'job', name, payload: data, connectionId, delayMs, ...deduplication } as const;
    await this.jobs.emit(workspaceId, [job]);
  }
}
