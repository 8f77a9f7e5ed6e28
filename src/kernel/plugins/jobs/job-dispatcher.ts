import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PLANS } from '#domain/plans/tiers.js';
import { outsideRequest } from '#kernel/context/request-context.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { SparingLog } from '#kernel/queue/sparing.log.js';
import { PluginCatalogue } from '../plugin-catalogue.js';
import { JOB_SETTINGS, type JobSettings } from './job.settings.js';
import { JobStore } from './job-store.js';
import { PluginQueues } from './plugin-queues.js';

const AFTER_ANOTHER_MS = 50;
const LONGEST_PAUSE_MS = 4_000;
const AT_ONCE = 5_000;

/**
 * Carries waiting jobs from the database to the queues of their plugins: of each workspace only a few at a time, so
 * that a thousand jobs of one do not stand before the first of another. Woken by each commit of its own process, and
 * looks by itself every second; while the queues are away the jobs stay where they are.
 */
@Injectable()
export class JobDispatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly trouble = new SparingLog(new Logger('plugins'), 'Jobs of plugins wait in the database');
  private readonly stopping = new AbortController();
  private readonly timers: NodeJS.Timeout[] = [];
  private running: Promise<void> | undefined;
  private wanted = false;
  private failures = 0;

  constructor(
    private readonly store: JobStore,
    private readonly queues: PluginQueues,
    private readonly catalogue: PluginCatalogue,
    @Inject(JOB_SETTINGS) private readonly settings: JobSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.push(setInterval(() => this.wake(), this.settings.pollEveryMs));
    this.timers.push(setInterval(() => void this.unlock(), this.settings.unlockEveryMs));
    this.timers.push(setInterval(() => void this.reap(), this.settings.reapEveryMs));
    for (const timer of this.timers) timer.unref();
  }

  /** Stops; what waits is handed out by another process, or after the next start. */
  async onApplicationShutdown(): Promise<void> {
    this.timers.forEach(clearInterval);
    this.stopping.abort();
    await this.running;
  }

  /** Has waiting jobs looked for now, or right after the round that is under way. */
  wake(): void {
    this.wanted = true;
    if (this.running || this.stopping.signal.aborted) return;
    this.running = outsideRequest(() => this.run()).finally(() => {
      this.running = undefined;
      if (this.wanted) this.wake();
    });
  }

  /** Has waiting jobs looked for in `ms` milliseconds; what is further away than the next look is left to that. */
  wakeIn(ms: number): void {
    if (ms < this.settings.pollEveryMs) setTimeout(() => this.wake(), ms + 1).unref();
  }

  private async run(): Promise<void> {
    while (this.wanted && !this.stopping.signal.aborted) {
      this.wanted = false;
      const rest = await this.round();
      if (rest > 0) await pause(rest, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Hands out one batch. @returns how long to rest before the next one, in milliseconds. */
  private async round(): Promise<number> {
    const plugins = this.catalogue.allReady().map(({ id }) => id);
    if (plugins.length === 0) return 0;
    const { perWorkspace, batch } = this.settings;
    try {
      const taken = await this.store.take({ plugins, perWorkspace, limit: batch }, all => this.queues.add(all));
      this.failures = 0;
      this.trouble.reset();
      if (taken === 'busy' || taken === batch) this.wanted = true;
      return taken === 'busy' ? AFTER_ANOTHER_MS : 0;
    } catch (error) {
      this.trouble.warn(error);
      this.wanted = true;
      return Math.min(100 * 2 ** this.failures++, LONGEST_PAUSE_MS);
    }
  }

  /** A plan may have been raised: what it had locked out goes on. */
  private async unlock(): Promise<void> {
    const open = this.catalogue.allReady().flatMap(({ id: plugin, manifest: { minPlan } }) => {
      const included = PLANS.filter(plan => PlanGate.may(plan, minPlan));
      return included.map(plan => ({ plugin, plan }));
    });
    if (open.length === 0) return;
    try {
      if ((await this.store.unlock(open, AT_ONCE)) > 0) this.wake();
    } catch (error) {
      this.trouble.warn(error);
    }
  }

  /** The queues may have been wiped: what was queued long ago waits again. Never rejects. */
  async reap(): Promise<void> {
    try {
      if ((await this.store.returnOverdue(this.settings.overdueAfterMs, AT_ONCE)) > 0) this.wake();
    } catch (error) {
      this.trouble.warn(error);
    }
  }
}
