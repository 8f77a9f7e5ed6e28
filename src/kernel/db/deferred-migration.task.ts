import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import type { Database } from './database.js';
import { DATABASE } from './database.module.js';

const INTERVAL_MS = 10_000;

/** Runs deferred migrations in the background, in the roles `all` and `worker`, until none is left. */
@Injectable()
export class DeferredMigrationTask extends PeriodicTask {
  private readonly stopping = new AbortController();
  private isComplete = false;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ENV) private readonly env: Env,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      loggerName: 'migrations',
      failureMessage: 'Deferred migrations cannot be run',
    });
  }

  protected override isEnabled(): boolean {
    return this.env.role !== 'api' && this.database.hasDeferredMigrations;
  }

  protected async run(): Promise<void> {
    if (this.isComplete) return;
    const { isComplete } = await this.database.runDeferredMigrations({ signal: this.stopping.signal });
    this.isComplete = isComplete;
  }

  override onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    return super.onApplicationShutdown();
  }
}
