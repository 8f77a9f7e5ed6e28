import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Sweeper } from '#kernel/rounds/sweeper.js';

const FORGET = `
  DELETE FROM idempotency_keys WHERE (workspace_id, key) IN (
    SELECT workspace_id, key FROM idempotency_keys
    WHERE created_at < now() - interval '24 hours' ORDER BY created_at LIMIT $1)
  RETURNING key`;

/** Forgets answers kept for an Idempotency-Key when their 24 hours are over. */
@Injectable()
export class KeptAnswersSweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { log: 'idempotency', statement: FORGET, atOnce: 5_000 });
  }
}
