import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ThrottledLogger } from '#kernel/telemetry/throttled-logger.js';

/** How often something is looked after, and how its troubles are told. */
export interface PeriodicTaskOptions {
  readonly intervalMs: number;
  /** Name of the log. */
  readonly loggerName: string;
  /** A sentence for the log when a round fails, without a full stop. */
  readonly failureMessage: string;
}

/**
 * Something that a process looks after again and again while it runs: never two rounds at once, and a round that
 * fails is told sparingly and left to the next one. At shutdown the round at hand is waited for.
 */
export abstract class PeriodicTask implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly failureLogger: ThrottledLogger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  protected constructor(private readonly taskOptions: PeriodicTaskOptions) {
    this.failureLogger = new ThrottledLogger(new Logger(taskOptions.loggerName), taskOptions.failureMessage);
  }

  /** One round. What it throws is told. */
  protected abstract run(): Promise<unknown>;

  /** Whether this process does it at all. Default: every process. */
  protected isEnabled(): boolean {
    return true;
  }

  onApplicationBootstrap(): void {
    if (!this.isEnabled()) return;
    this.timer = setInterval(() => void this.runNow(), this.taskOptions.intervalMs);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Does a round now, or waits for the one that is under way. Never rejects. */
  runNow(): Promise<void> {
    return (this.running ??= this.run()
      .then(() => this.failureLogger.reset())
      .catch(error => this.failureLogger.warn(error))
      .finally(() => (this.running = undefined)));
  }
}
