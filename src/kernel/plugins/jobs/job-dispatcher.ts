import { Inject, Injectable } from '@nestjs/common';
import { type RoundOutcome, WokenRounds } from '#kernel/rounds/woken-rounds.js';
import { PluginCatalogue } from '../plugin-catalogue.js';
import { JOB_SETTINGS, type JobSettings } from './job.settings.js';
import { JobStore } from './job-store.js';
import { PluginQueues } from './plugin-queues.js';

const AFTER_ANOTHER_MS = 50;
const LONGEST_PAUSE_MS = 4_000;

/**
 * Carries waiting jobs from the database to the queues of their plugins: of each workspace only a few at a time, so
 * that a thousand jobs of one do not stand before the first of another. Woken by each commit of its own process, and
 * looks by itself every second; while the queues are away the jobs stay where they are.
 */
@Injectable()
export class JobDispatcher extends WokenRounds {
  constructor(
    private readonly store: JobStore,
    private readonly queues: PluginQueues,
    private readonly catalogue: PluginCatalogue,
    @Inject(JOB_SETTINGS) private readonly settings: JobSettings,
  ) {
    const { pollEveryMs: everyMs } = settings;
    const trouble = 'Jobs of plugins wait in the database';
    super({ everyMs, longestPauseMs: LONGEST_PAUSE_MS, log: 'plugins', trouble });
  }

  /** Hands out one batch. */
  protected async round(): Promise<RoundOutcome> {
    const plugins = this.catalogue.allReady().map(({ id }) => id);
    if (plugins.length === 0) return { done: 0, more: false, restMs: 0 };
    const { perWorkspace, batch } = this.settings;
    const taken = await this.store.take({ plugins, perWorkspace, limit: batch }, all => this.queues.add(all));
    if (taken === 'busy') return { done: 0, more: true, restMs: AFTER_ANOTHER_MS };
    return { done: taken, more: taken === batch, restMs: 0 };
  }
}
