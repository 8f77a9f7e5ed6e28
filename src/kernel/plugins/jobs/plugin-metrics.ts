import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { METRICS } from '#kernel/telemetry/metrics.js';

/** What became of one try of a job. `locked`: the plan no longer includes the plugin. `gone`: nobody is there for it. */
export type JobEnd = 'done' | 'failed' | 'postponed' | 'dead' | 'locked' | 'gone';

/** What is counted about plugins, in this process. */
@Injectable()
export class PluginMetrics {
  private readonly jobs: Counter<'plugin' | 'end'>;

  constructor(@Inject(METRICS) registry: Registry) {
    this.jobs = new Counter({
      name: 'rapport_plugin_jobs_total',
      help: 'Tries of jobs and deliveries of plugins, by how they ended',
      labelNames: ['plugin', 'end'] as const,
      registers: [registry],
    });
  }

  /** One try has ended. */
  ended(plugin: string, end: JobEnd): void {
    this.jobs.inc({ plugin, end });
  }
}
