import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { runDetached } from '#kernel/request-context.js';
import { ThrottledLogger } from '#kernel/telemetry/throttled-logger.js';
import { type PeriodicTaskOptions } from './periodic-task.js';
import { PeriodicTimer } from './periodic-timer.js';

const INITIAL_BACKOFF_MS = 100;

/** Options of a {@link WakeablePoller}. */
export interface PollerOptions extends PeriodicTaskOptions {
  /** Maximum backoff after failures, in milliseconds; it starts at 100 and doubles each time. */
  readonly maxBackoffMs: number;
}

/** Result of a run. */
export interface PollOutcome {
  /** Number of processed items. */
  readonly processedCount: number;
  /** Whether more items are waiting. */
  readonly hasMore: boolean;
  /** Delay before the next run, in milliseconds. */
  readonly delayMs: number;
}

/**
 * Processes items when it is woken up, and polls periodically for items of other processes. Runs never overlap;
 * failures are logged with throttling and retried after a backoff. The shutdown waits for a run in progress;
 * remaining items are processed by another process or after the next start.
 */
export abstract class WakeablePoller implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly failureLogger: ThrottledLogger;
  private readonly stopping = new AbortController();
  private readonly timer: PeriodicTimer;
  private running: Promise<void> | undefined;
  private isWakeRequested = false;
  private failures = 0;

  protected constructor(private readonly pollerOptions: PollerOptions) {
    this.failureLogger = new ThrottledLogger(new Logger(pollerOptions.loggerName), pollerOptions.failureMessage);
    this.timer = new PeriodicTimer({ intervalMs: pollerOptions.intervalMs, run: () => this.wake() });
  }

  /** Runs once. Its errors are logged. */
  protected abstract run(): Promise<PollOutcome>;

  onApplicationBootstrap(): void {
    this.timer.start();
    this.wake();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.timer.stop();
    this.stopping.abort();
    await this.running;
  }

  /** Starts a run now, or right after the run in progress. */
  wake(): void {
    this.isWakeRequested = true;
    if (this.running || this.stopping.signal.aborted) return;
    this.running = runDetached(() => this.runLoop()).finally(() => {
      this.running = undefined;
      if (this.isWakeRequested) this.wake();
    });
  }

  /** Starts a run in `ms` milliseconds; does nothing if the next poll comes first. */
  wakeIn(ms: number): void {
    if (ms < this.pollerOptions.intervalMs) setTimeout(() => this.wake(), ms + 1).unref();
  }

  private async runLoop(): Promise<void> {
    while (this.isWakeRequested && !this.stopping.signal.aborted) {
      this.isWakeRequested = false;
      const delayMs = await this.runOnce();
      if (delayMs > 0) await pause(delayMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** @returns the delay before the next run, in milliseconds. */
  private async runOnce(): Promise<number> {
    try {
      const { processedCount, hasMore, delayMs } = await this.run();
      this.failures = 0;
      if (processedCount > 0) this.failureLogger.reset();
      this.isWakeRequested ||= hasMore;
      return delayMs;
    } catch (error) {
      this.failureLogger.warn(error);
      this.isWakeRequested = true;
      return Math.min(INITIAL_BACKOFF_MS * 2 ** this.failures++, this.pollerOptions.maxBackoffMs);
    }
  }
}
