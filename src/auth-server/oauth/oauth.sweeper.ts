import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Sweeper } from '#kernel/scheduling/periodic-task.js';

/**
 * Device requests and grants are retained for a day after they expire, so that a reused code is detected. Clients are
 * retained for a week until they are approved, and then for a year after the last approval.
 */
const DELETE_EXPIRED = `
  WITH requests AS (
    DELETE FROM oauth_device_requests WHERE id IN (
      SELECT id FROM oauth_device_requests WHERE expires_at < now() - interval '1 day' ORDER BY expires_at LIMIT $1)
    RETURNING 1
  ), grants AS (
    DELETE FROM oauth_grants WHERE (workspace_id, id) IN (
      SELECT workspace_id, id FROM oauth_grants WHERE expires_at < now() - interval '1 day' ORDER BY expires_at LIMIT $1)
    RETURNING 1
  ), refresh_tokens AS (
    DELETE FROM oauth_refresh_tokens WHERE (workspace_id, id) IN (
      SELECT workspace_id, id FROM oauth_refresh_tokens WHERE expires_at < now() ORDER BY expires_at LIMIT $1)
    RETURNING 1
  ), clients AS (
    DELETE FROM oauth_clients WHERE id IN (
      SELECT id FROM oauth_clients WHERE coalesce(used_at, created_at) < now() - interval '7 days'
        AND (used_at IS NULL OR used_at < now() - interval '1 year')
      ORDER BY coalesce(used_at, created_at) LIMIT $1)
    RETURNING 1
  )
  TABLE requests UNION ALL TABLE grants UNION ALL TABLE refresh_tokens UNION ALL TABLE clients`;

/** Deletes expired device requests, grants and refresh tokens, and clients that nobody approves or uses. */
@Injectable()
export class OAuthSweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { loggerName: 'oauth', sql: DELETE_EXPIRED, batchSize: 1_000 });
  }
}
