import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Sweeper } from '#kernel/scheduling/sweeper.js';

const DELETE_EXPIRED = `
  DELETE FROM inbound_events WHERE (workspace_id, id) IN (
    SELECT workspace_id, id FROM inbound_events
    WHERE received_at < now() - interval '30 days' ORDER BY received_at LIMIT $1)
  RETURNING id`;

/** Deletes webhooks that were received more than 30 days ago. */
@Injectable()
export class InboundSweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { loggerName: 'inbound', sql: DELETE_EXPIRED, batchSize: 1_000 });
  }
}
