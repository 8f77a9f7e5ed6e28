import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';

const EVERY_MS = 10 * 60_000;
const AT_ONCE = 1_000;

/**
 * Sign-ins and grants are kept for a day after their end, so that a code that comes a second time is known for what it
 * is; clients for a week until somebody approves them, then for a year after the last time.
 */
const FORGET = `
  WITH requests AS (
    DELETE FROM oauth_device_requests WHERE id IN (
      SELECT id FROM oauth_device_requests WHERE expires_at < now() - interval '1 day' ORDER BY expires_at LIMIT $1)
    RETURNING 1
  ), grants AS (
    DELETE FROM oauth_grants WHERE (workspace_id, id) IN (
      SELECT workspace_id, id FROM oauth_grants WHERE expires_at < now() - interval '1 day' ORDER BY expires_at LIMIT $1)
    RETURNING 1
  ), clients AS (
    DELETE FROM oauth_clients WHERE id IN (
      SELECT id FROM oauth_clients WHERE coalesce(used_at, created_at) < now() - interval '7 days'
        AND (used_at IS NULL OR used_at < now() - interval '1 year')
      ORDER BY coalesce(used_at, created_at) LIMIT $1)
    RETURNING 1
  )
  TABLE requests UNION ALL TABLE grants UNION ALL TABLE clients`;

/** Forgets sign-ins that are over, and clients that nobody approves or uses. Any number of processes may do it. */
@Injectable()
export class OAuthSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('oauth');
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly work: UnitOfWork) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep().catch(error => this.log.warn(String(error))), EVERY_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Deletes what is over, a bounded number at a time. @returns how many rows were forgotten */
  async sweep(): Promise<number> {
    for (let swept = 0; ;) {
      const gone = await this.work.system(tx => tx.query(FORGET, [AT_ONCE]));
      swept += gone.length;
      if (gone.length < AT_ONCE) return swept;
    }
  }
}
