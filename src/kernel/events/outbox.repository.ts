import { Injectable } from '@nestjs/common';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { BatchedEvent, BatchRef, EventBatch } from './hub-event.js';

interface OutboxRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly events: readonly BatchedEvent[];
  readonly created_at: number;
}

/** A batch that is being published. `requeued`: workers died over the job that it was in, so it gets a job of its own. */
export interface PublishedBatch extends BatchRef {
  readonly eventCount: number;
  readonly requeued: boolean;
}

/** What was taken back: how many rows, and how many events they hold. */
export interface Requeued {
  readonly batches: number;
  readonly events: number;
}

/** Columns of {@link toBatch}. */
export const BATCH_COLUMNS = 'id, workspace_id, events, created_at';

/** The outbox is mostly empty when its statements are planned, and may hold thousands of rows when they run. */
const GENERIC_PLANS = { useGenericPlans: true };

const IN_REFS_SQL = '(workspace_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))';
const SELECT_UNPUBLISHED = prepare(
  `SELECT id, workspace_id AS "workspaceId", event_count AS "eventCount", requeued FROM outbox
   WHERE published_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
);
const MARK_PUBLISHED = prepare(`UPDATE outbox SET published_at = clock_timestamp() WHERE ${IN_REFS_SQL}`);
const SELECT_UNDELIVERED = prepare(`SELECT ${BATCH_COLUMNS} FROM outbox WHERE ${IN_REFS_SQL} AND failed_at IS NULL`);
const DELETE_BATCHES = prepare(`DELETE FROM outbox WHERE ${IN_REFS_SQL}`);

/**
 * The outbox as the relay and the worker use it. The events of a transaction are one row: a row for each cost more than
 * what they tell. It is there from that transaction until all its events have been delivered: unpublished, then
 * published, or failed for good.
 *
 * These transactions do not wait for the disk: what a crash of the server takes back is a delivery that is repeated.
 */
@Injectable()
export class OutboxRepository {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Hands at most `limit` unpublished batches to `add` and marks them, so that they are marked only if they were added.
   * Rows that another process has in hand are left to it.
   * @returns what was published.
   */
  publish(limit: number, add: (batches: PublishedBatch[]) => Promise<void>): Promise<PublishedBatch[]> {
    return this.withAsyncCommit(async tx => {
      const batches = await tx.query<PublishedBatch>(SELECT_UNPUBLISHED, [limit]);
      if (batches.length === 0) return [];
      await add(batches);
      tx.deferToCommit(MARK_PUBLISHED, toRefColumns(batches));
      return batches;
    });
  }

  /** Those of these batches that still wait to be delivered, in the order in which they were written. */
  async readUndelivered(refs: readonly BatchRef[]): Promise<EventBatch[]> {
    const rows = await this.work.system(
      tx => tx.query<OutboxRow>(SELECT_UNDELIVERED, toRefColumns(refs)),
      GENERIC_PLANS,
    );
    return rows.map(toBatch).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The events were delivered: their rows go. */
  confirm(refs: readonly BatchRef[]): Promise<void> {
    return this.withAsyncCommit(async tx => tx.deferToCommit(DELETE_BATCHES, toRefColumns(refs)));
  }

  /** These events of a batch will not be tried again until somebody says so. False if the batch is no longer there. */
  deadLetter(batch: EventBatch, reason: string): Promise<boolean> {
    return this.withAsyncCommit(async tx => {
      const rows = await tx.query(
        `UPDATE outbox SET events = $4, event_count = $5, last_error = $3,
           failed_at = clock_timestamp(), published_at = coalesce(published_at, now())
         WHERE ${IN_REFS_SQL} RETURNING id`,
        [...toRefColumns([batch]), reason, JSON.stringify(batch.events), batch.events.length],
      );
      return rows.length > 0;
    });
  }

  /** Has these events of a batch published once more, each by itself; false if that was done before, or if they are gone. */
  requeueIndividually(batch: EventBatch): Promise<boolean> {
    return this.withAsyncCommit(async tx => {
      const rows = await tx.query(
        `WITH original AS (DELETE FROM outbox WHERE ${IN_REFS_SQL} AND NOT requeued RETURNING workspace_id, created_at)
         INSERT INTO outbox (workspace_id, id, events, event_count, created_at, requeued)
         SELECT workspace_id, event.id, event.batch, 1, created_at, true
         FROM original, unnest($3::uuid[], $4::json[]) AS event (id, batch) RETURNING id`,
        [
          ...toRefColumns([batch]),
          batch.events.map(({ id }) => id),
          batch.events.map(event => JSON.stringify([event])),
        ],
      );
      return rows.length > 0;
    });
  }

  /**
   * Batches that were published longer than `ageMs` ago and never confirmed become unpublished again. Each time it
   * takes twice as long, up to ten times `ageMs`, so that a long queue is not carried there over and over.
   * @param limit most batches at once.
   */
  requeueUnconfirmed(ageMs: number, limit: number): Promise<Requeued> {
    return this.withAsyncCommit(async tx => {
      const rows = await tx.query<{ event_count: number }>(
        `UPDATE outbox SET published_at = NULL WHERE (workspace_id, id) IN (
           SELECT workspace_id, id FROM outbox, make_interval(secs => $1) AS age
           WHERE published_at < clock_timestamp() - age AND failed_at IS NULL
             AND published_at < clock_timestamp() - least(published_at - created_at, 10 * age)
           ORDER BY published_at LIMIT $2 FOR UPDATE OF outbox SKIP LOCKED)
         RETURNING event_count`,
        [ageMs / 1000, limit],
      );
      return { batches: rows.length, events: rows.reduce((sum, row) => sum + row.event_count, 0) };
    });
  }

  private withAsyncCommit<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.work.system(async tx => {
      const [, result] = await Promise.all([tx.query('SET LOCAL synchronous_commit = off'), work(tx)]);
      return result;
    }, GENERIC_PLANS);
  }
}

/** Reads a row of the outbox. */
export function toBatch(row: OutboxRow): EventBatch {
  return { id: row.id, workspaceId: row.workspace_id, occurredAt: row.created_at, events: row.events };
}

function toRefColumns(refs: readonly BatchRef[]): [workspaces: string[], ids: string[]] {
  return [refs.map(ref => ref.workspaceId), refs.map(ref => ref.id)];
}
