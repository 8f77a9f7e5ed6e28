import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { FailedBatch } from './hub-event.js';
import { BATCH_COLUMNS, toBatch } from './outbox.repository.js';

type FailedRow = Parameters<typeof toBatch>[0] & { readonly failed_at: number; readonly last_error: string };

const MAX_LIST_LIMIT = 1_000;

/** Lists dead letters and redrives them, for operators. */
@Injectable()
export class FailedEventsService {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Lists the newest dead letters of all workspaces first.
   * @param limit number of batches, default 100, at most 1000
   */
  list(limit = 100): Promise<FailedBatch[]> {
    return this.work.system(async tx => {
      const rows = await tx.query<FailedRow>(
        `SELECT ${BATCH_COLUMNS}, failed_at, last_error FROM outbox WHERE failed_at IS NOT NULL
         ORDER BY failed_at DESC LIMIT $1`,
        [Math.min(limit, MAX_LIST_LIMIT)],
      );
      return rows.map(row => ({ ...toBatch(row), failedAt: row.failed_at, reason: row.last_error }));
    });
  }

  /**
   * Redrives dead letters with all attempts; a relay picks them up within a second.
   * @param ids batches to redrive; defaults to all.
   * @returns the number of batches.
   */
  async redrive(ids?: readonly string[]): Promise<number> {
    const redriven = await this.work.system(tx =>
      tx.query(
        `UPDATE outbox SET published_at = NULL, failed_at = NULL, last_error = NULL, requeued = false
         WHERE failed_at IS NOT NULL AND ($1::uuid[] IS NULL OR id = ANY ($1)) RETURNING id`,
        [ids ?? null],
      ),
    );
    return redriven.length;
  }
}
