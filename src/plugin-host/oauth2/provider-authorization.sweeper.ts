import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Sweeper } from '#kernel/scheduling/periodic-task.js';

const DELETE_EXPIRED = `
  DELETE FROM provider_authorizations WHERE (workspace_id, id) IN (
    SELECT workspace_id, id FROM provider_authorizations WHERE expires_at < now() ORDER BY expires_at LIMIT $1)
  RETURNING 1`;

/** Deletes links whose time is over. */
@Injectable()
export class ProviderAuthorizationSweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { loggerName: 'connections', sql: DELETE_EXPIRED, batchSize: 1_000 });
  }
}
