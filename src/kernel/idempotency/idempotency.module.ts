import { Injectable, Module } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Sweeper } from '../scheduling/periodic-task.js';

const DELETE_EXPIRED = `
  DELETE FROM idempotency_keys WHERE (workspace_id, key) IN (
    SELECT workspace_id, key FROM idempotency_keys
    WHERE created_at < now() - interval '24 hours' ORDER BY created_at LIMIT $1)
  RETURNING key`;

/** Deletes stored responses of Idempotency-Keys after 24 hours. */
@Injectable()
export class IdempotencyKeySweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { loggerName: 'idempotency', sql: DELETE_EXPIRED, batchSize: 5_000 });
  }
}

/** Stores responses for a day, so that writes can be retried. */
@Module({ providers: [IdempotencyKeySweeper] })
export class IdempotencyModule {}
