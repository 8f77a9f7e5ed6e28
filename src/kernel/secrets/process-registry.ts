import { hostname } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { newId } from '#kernel/ids.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { HUB_PACKAGE } from '#kernel/version.js';
import { SecretBox } from './secret-box.js';

const HEARTBEAT_INTERVAL_MS = 10_000;
/** A process that was not seen for this long has died. */
const TTL_SECONDS = 45;

/** A running process of the hub. */
export interface HubProcess {
  readonly role: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** Fingerprints of the keys of SECRET_KEYS that it holds, the one that encrypts first. */
  readonly secret_keys: readonly string[];
}

/** Registers this process in the database with the keys that it holds, from the start on and every 10 s. */
@Injectable()
export class ProcessRegistry extends PeriodicTask {
  private readonly id = newId();

  constructor(
    private readonly work: UnitOfWork,
    private readonly box: SecretBox,
    @Inject(ENV) private readonly env: Env,
  ) {
    super({
      intervalMs: HEARTBEAT_INTERVAL_MS,
      loggerName: 'processes',
      failureMessage: 'This process cannot be registered',
    });
  }

  override async onApplicationBootstrap(): Promise<void> {
    await this.runNow();
    await super.onApplicationBootstrap();
  }

  override async onApplicationShutdown(): Promise<void> {
    await super.onApplicationShutdown();
    await this.work
      .system(tx => tx.query('DELETE FROM processes WHERE id = $1', [this.id]))
      // Without the database it is forgotten when its time is over.
      .catch(() => undefined);
  }

  protected run(): Promise<unknown> {
    const { role } = this.env;
    const values = [this.id, role, hostname(), process.pid, HUB_PACKAGE.version, this.box.fingerprints];
    return this.work.system(async tx => {
      await tx.query(`DELETE FROM processes WHERE seen_at < now() - interval '1 day'`);
      await tx.query(
        `INSERT INTO processes (id, role, host, pid, version, secret_keys) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
        values,
      );
    });
  }
}

/** Returns the processes that were seen a moment ago. */
export function readLiveProcesses(work: UnitOfWork): Promise<HubProcess[]> {
  return work.system(tx =>
    tx.query<HubProcess>(
      `SELECT role, host, pid, version, secret_keys FROM processes
       WHERE seen_at > now() - make_interval(secs => ${TTL_SECONDS}) ORDER BY role, host, pid`,
    ),
  );
}
