import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { outsideRequest } from '#kernel/context/request-context.js';
import { SparingLog } from '#kernel/queue/sparing.log.js';
import type { RoundSettings } from './rounds.js';

const FIRST_PAUSE_MS = 100;

/** How often and how patiently something is done. */
export interface WokenSettings extends RoundSettings {
  /** Longest pause after rounds that failed, in milliseconds: each is twice the one before, from 100 on. */
  readonly longestPauseMs: number;
}

/** What came of a round. */
export interface RoundOutcome {
  /** How much was done. */
  readonly done: number;
  /** Whether more waits already. */
  readonly more: boolean;
  /** How long to rest before the next round, in milliseconds. */
  readonly restMs: number;
}

/**
 * Something that a process does as soon as it is told that there is some of it, and looks for every so often anyway,
 * as another process may have left some. Never two rounds at once; one that fails is told sparingly and tried again
 * after a pause. At shutdown the round at hand is waited for, and what is left is done by another process or after the
 * next start.
 */
export abstract class WokenRounds implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly trouble: SparingLog;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private wanted = false;
  private failures = 0;

  protected constructor(private readonly rounds: WokenSettings) {
    this.trouble = new SparingLog(new Logger(rounds.log), rounds.trouble);
  }

  /** One round. What it throws is told. */
  protected abstract round(): Promise<RoundOutcome>;

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.wake(), this.rounds.everyMs);
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
    this.wanted = true;
    if (this.running || this.stopping.signal.aborted) return;
    this.running = outsideRequest(() => this.run()).finally(() => {
      this.running = undefined;
      if (this.wanted) this.wake();
    });
  }

  /** Has a round begin in `ms` milliseconds; what is further away than the next look is left to that. */
  wakeIn(ms: number): void {
    if (ms < this.rounds.everyMs) setTimeout(() => this.wake(), ms + 1).unref();
  }

  private async run(): Promise<void> {
    while (this.wanted && !this.stopping.signal.aborted) {
      this.wanted = false;
      const restMs = await this.oneRound();
      if (restMs > 0) await pause(restMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** @returns how long to rest, in milliseconds. */
  private async oneRound(): Promise<number> {
    try {
      const { done, more, restMs } = await this.round();
      this.failures = 0;
      if (done > 0) this.trouble.reset();
      this.wanted ||= more;
      return restMs;
    } catch (error) {
      this.trouble.warn(error);
      this.wanted = true;
      return Math.min(FIRST_PAUSE_MS * 2 ** this.failures++, this.rounds.longestPauseMs);
    }
  }
}
