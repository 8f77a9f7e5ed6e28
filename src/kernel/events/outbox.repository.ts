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

/** A batch that is being published. `requeued`: workers died over its previous job, so it gets a job of its own. */
export interface PublishedBatch extends BatchRef {
  readonly eventCount: number;
  readonly requeued: boolean;
}

/** A batch with the priority of its job: 0 comes first, and jobs of one priority run in order. */
export interface PrioritizedBatch extends PublishedBatch {
  readonly priority: number;
}

/** Number of requeued rows and of their events. */
export interface Requeued {
  readonly batches: number;
  readonly events: number;
}

/** Columns that {@link toBatch} reads. */
export const BATCH_COLUMNS = 'id, workspace_id, events, created_at';

/** The outbox is mostly empty when its statements are planned, and may have thousands of rows when they run. */
const GENERIC_PLANS = { useGenericPlans: true };

const IN_REFS_SQL = '(workspace_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))';
const SELECT_UNPUBLISHED = prepare(
  `SELECT id, workspace_id AS "workspaceId", event_count AS "eventCount", requeued FROM outbox
   WHERE published_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
);
/** Counts the events of a workspace in the queue, in bounded time. */
const SELECT_BACKLOGS = prepare(
  `SELECT workspace.id AS "workspaceId", sum(waiting.event_count)::int AS events
   FROM unnest($1::uuid[]) AS workspace (id) CROSS JOIN LATERAL (
     SELECT event_count FROM outbox WHERE workspace_id = workspace.id AND published_at IS NOT NULL AND failed_at IS NULL
     ORDER BY id LIMIT 5000) AS waiting
   GROUP BY workspace.id`,
);
const MARK_PUBLISHED = prepare(`UPDATE outbox SET published_at = clock_timestamp() WHERE ${IN_REFS_SQL}`);
const SELECT_UNDELIVERED = prepare(`SELECT ${BATCH_COLUMNS} FROM outbox WHERE ${IN_REFS_SQL} AND failed_at IS NULL`);
const DELETE_BATCHES = prepare(`DELETE FROM outbox WHERE ${IN_REFS_SQL}`);

/**
 * Reads and updates the outbox for the relay and the worker. Up to 100 events of a transaction share a row, because a
 * row for each cost more than its content. A row exists from that transaction until all its events have been
 * delivered; its state is unpublished, published or failed.
 * These transactions commit asynchronously: after a crash of the server, a lost commit only repeats a delivery.
 */
@Injectable()
export class OutboxRepository {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Passes at most `limit` unpublished batches to `add` and marks them as published if it succeeds. Skips rows that
   * another process has locked. The more events of a workspace wait in the queue, the later come its next ones.
   * @returns the published batches.
   */
  publish(limit: number, add: (batches: PrioritizedBatch[]) => Promise<void>): Promise<PublishedBatch[]> {
    return this.withAsyncCommit(async tx => {
      const batches = await tx.query<PublishedBatch>(SELECT_UNPUBLISHED, [limit]);
      if (batches.length === 0) return [];
      await add(prioritize(batches, await readBacklogs(tx, batches)));
      tx.deferToCommit(MARK_PUBLISHED, toRefColumns(batches));
      return batches;
    });
  }

  /** Reads those of these batches that are still undelivered, in the order in which they were written. */
  async readUndelivered(refs: readonly BatchRef[]): Promise<EventBatch[]> {
    const rows = await this.work.system(
      tx => tx.query<OutboxRow>(SELECT_UNDELIVERED, toRefColumns(refs)),
      GENERIC_PLANS,
    );
    return rows.map(toBatch).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Deletes the rows of delivered batches. */
  confirm(refs: readonly BatchRef[]): Promise<void> {
    return this.withAsyncCommit(async tx => tx.deferToCommit(DELETE_BATCHES, toRefColumns(refs)));
  }

  /** Marks the rest of a batch as a dead letter. Returns false if the batch no longer exists. */
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

  /**
   * Requeues events of a batch, each in a row of its own; returns false if that was done before or the batch no
   * longer exists.
   */
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
   * Requeues batches that were published more than `ageMs` milliseconds ago and never confirmed. The delay doubles
   * each time up to ten times `ageMs`, so that a long queue is not filled again and again.
   * @param limit maximum number of batches.
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

/** Events of a workspace that may wait in the queue before its next ones yield to those of other workspaces. */
const FAIR_BACKLOG_EVENTS = 1000;

/**
 * Assigns priorities so that workspaces take fair turns: 0 while at most 1000 events of the workspace wait, and one more
 * each time that their number doubles. A workspace that emits a flood waits for itself, and others pass it.
 * @param backlogs events that wait in the queue, by workspace
 */
export function prioritize<Batch extends PublishedBatch>(
  batches: readonly Batch[],
  backlogs: ReadonlyMap<string, number>,
): (Batch & PrioritizedBatch)[] {
  const waiting = new Map(backlogs);
  return batches.map(batch => {
    const events = (waiting.get(batch.workspaceId) ?? 0) + batch.eventCount;
    waiting.set(batch.workspaceId, events);
    return { ...batch, priority: Math.max(0, Math.ceil(Math.log2(events / FAIR_BACKLOG_EVENTS))) };
  });
}

/** A single batch of a quiet hub is spared the count. */
async function readBacklogs(tx: Transaction, batches: readonly PublishedBatch[]): Promise<Map<string, number>> {
  if (batches.length === 1) return new Map();
  const workspaces = [...new Set(batches.map(({ workspaceId }) => workspaceId))];
  const rows = await tx.query<{ workspaceId: string; events: number }>(SELECT_BACKLOGS, [workspaces]);
  return new Map(rows.map(({ workspaceId, events }) => [workspaceId, events]));
}

/** Converts an outbox row to a batch. */
export function toBatch(row: OutboxRow): EventBatch {
  return { id: row.id, workspaceId: row.workspace_id, occurredAt: row.created_at, events: row.events };
}

function toRefColumns(refs: readonly BatchRef[]): [workspaces: string[], ids: string[]] {
  return [refs.map(ref => ref.workspaceId), refs.map(ref => ref.id)];
}
