import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { METRICS } from '#kernel/telemetry/metrics.module.js';

/**
 * The outcome of one attempt of a job. `held`: the plan does not include the plugin. `skipped`: there is no recipient.
 */
export type JobOutcome = 'done' | 'failed' | 'deferred' | 'dead' | 'held' | 'skipped';

/** Counts the outcomes of plugin jobs in this process. */
@Injectable()
export class PluginMetrics {
  private readonly jobs: Counter<'plugin' | 'outcome'>;

  constructor(@Inject(METRICS) registry: Registry) {
    this.jobs = new Counter({
      name: 'rapport_plugin_jobs_total',
      help: 'Attempts of plugin jobs and deliveries, by outcome',
      labelNames: ['plugin', 'outcome'] as const,
      registers: [registry],
    });
  }

  /** Counts the outcome of one attempt. */
  countOutcome(plugin: string, outcome: JobOutcome): void {
    this.jobs.inc({ plugin, outcome });
  }
}
