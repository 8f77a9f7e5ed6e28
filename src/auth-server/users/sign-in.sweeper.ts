import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Sweeper } from '#kernel/scheduling/periodic-task.js';

const DELETE_EXPIRED = `
  WITH ended AS (
    DELETE FROM rapport_auth.sessions WHERE id IN (
      SELECT id FROM rapport_auth.sessions WHERE expires_at <= now() ORDER BY expires_at LIMIT $1)
    RETURNING 1
  ), resets AS (
    DELETE FROM rapport_auth.verifications WHERE id IN (
      SELECT id FROM rapport_auth.verifications WHERE expires_at <= now() ORDER BY expires_at LIMIT $1)
    RETURNING 1
  ), invitations AS (
    DELETE FROM invitations WHERE (workspace_id, id) IN (
      SELECT workspace_id, id FROM invitations WHERE expires_at <= now() ORDER BY expires_at LIMIT $1)
    RETURNING 1
  )
  TABLE ended UNION ALL TABLE resets UNION ALL TABLE invitations`;

/** Deletes sessions, invitations, and setup codes, resets, challenges and used codes that have expired. */
@Injectable()
export class SignInSweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { loggerName: 'sign-in', sql: DELETE_EXPIRED, batchSize: 1_000, role: 'auth' });
  }
}
