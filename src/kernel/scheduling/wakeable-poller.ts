import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { runDetached } from '#kernel/request-context.js';
import { ThrottledLogger } from '#kernel/telemetry/throttled-logger.js';
import type { PeriodicTaskOptions } from './periodic-task.js';

const INITIAL_BACKOFF_MS = 100;

/** How often and how patiently something is done. */
export interface PollerOptions extends PeriodicTaskOptions {
  /** Longest pause after rounds that failed, in milliseconds: each is twice the one before, from 100 on. */
  readonly maxBackoffMs: number;
}

/** What came of a round. */
export interface PollOutcome {
  /** How much was done. */
  readonly processedCount: number;
  /** Whether more waits already. */
  readonly hasMore: boolean;
  /** How long to rest before the next round, in milliseconds. */
  readonly delayMs: number;
}

/**
 * Something that a process does as soon as it is told that there is some of it, and looks for every so often anyway,
 * as another process may have left some. Never two rounds at once; one that fails is told sparingly and tried again
 * after a pause. At shutdown the round at hand is waited for, and what is left is done by another process or after the
 * next start.
 */
export abstract class WakeablePoller implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly failureLogger: ThrottledLogger;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWakeRequested = false;
  private failures = 0;

  protected constructor(private readonly pollerOptions: PollerOptions) {
    this.failureLogger = new ThrottledLogger(new Logger(pollerOptions.loggerName), pollerOptions.failureMessage);
  }

  /** One round. What it throws is told. */
  protected abstract run(): Promise<PollOutcome>;

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.wake(), this.pollerOptions.intervalMs);
    this.timer.unref();
    this.wake();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** Has a round begin now, or right after the one that is under way. */
  wake(): void {
    this.isWakeRequested = true;
    if (this.running || this.stopping.signal.aborted) return;
    this.running = runDetached(() => this.runLoop()).finally(() => {
      this.running = undefined;
      if (this.isWakeRequested) this.wake();
    });
  }

  /** Has a round begin in `ms` milliseconds; what is further away than the next look is left to that. */
  wakeIn(ms: number): void {
    if (ms < this.pollerOptions.intervalMs) setTimeout(() => this.wake(), ms + 1).unref();
  }

  private async runLoop(): Promise<void> {
    while (this.isWakeRequested && !this.stopping.signal.aborted) {
      this.isWakeRequested = false;
      const restMs = await this.runOnce();
      if (restMs > 0) await pause(restMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** @returns how long to rest, in milliseconds. */
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
