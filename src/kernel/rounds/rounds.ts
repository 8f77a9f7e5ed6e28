import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SparingLog } from '#kernel/queue/sparing.log.js';

/** How often something is looked after, and how its troubles are told. */
export interface RoundSettings {
  readonly everyMs: number;
  /** Name of the log. */
  readonly log: string;
  /** A sentence for the log when a round fails, without a full stop. */
  readonly trouble: string;
}

/**
 * Something that a process looks after again and again while it runs: never two rounds at once, and a round that
 * fails is told sparingly and left to the next one. At shutdown the round at hand is waited for.
 */
export abstract class Rounds implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly trouble: SparingLog;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  protected constructor(private readonly settings: RoundSettings) {
    this.trouble = new SparingLog(new Logger(settings.log), settings.trouble);
  }

  /** One round. What it throws is told. */
  protected abstract round(): Promise<unknown>;

  /** Whether this process does it at all. Default: every process. */
  protected isOurs(): boolean {
    return true;
  }

  onApplicationBootstrap(): void {
    if (!this.isOurs()) return;
    this.timer = setInterval(() => void this.look(), this.settings.everyMs);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Does a round now, or waits for the one that is under way. Never rejects. */
  look(): Promise<void> {
    return (this.running ??= this.round()
      .then(() => this.trouble.reset())
      .catch(error => this.trouble.warn(error))
      .finally(() => (this.running = undefined)));
  }
}
