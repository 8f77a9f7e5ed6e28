import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Sweeper } from '#kernel/scheduling/sweeper.js';

const DELETE_EXPIRED = `
  DELETE FROM usage_counters WHERE (workspace_id, name, period) IN (
    SELECT workspace_id, name, period FROM usage_counters WHERE expires_at < now() ORDER BY expires_at LIMIT $1)
  RETURNING period`;

/** Deletes counters of past periods. */
@Injectable()
export class UsageSweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { loggerName: 'limits', sql: DELETE_EXPIRED, batchSize: 1_000 });
  }
}
