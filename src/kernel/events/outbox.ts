import { Injectable } from '@nestjs/common';
import type { Transaction } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { EventRef, HubEvent } from './hub-event.js';

interface OutboxRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly type: string;
  readonly payload: Record<string, unknown>;
  readonly created_at: number;
}

/** An event that is being published. `alone`: workers died over the batch it was in. */
export type PublishedEvent = HubEvent & { readonly alone: boolean };

/** Columns of {@link toEvent}. */
export const eventColumns = 'id, workspace_id, type, payload, created_at';

const LISTED = '(workspace_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))';

/**
 * The outbox as the relay and the worker use it. A row is there from the transaction that emitted the event until
 * its delivery has been confirmed: unpublished, then published, or failed for good.
 *
 * These transactions do not wait for the disk: what a crash of the server takes back is a delivery that is repeated.
 */
@Injectable()
export class Outbox {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Hands at most `limit` unpublished events to `add` and marks them, so that they are marked only if they were added.
   * Rows that another process has in hand are left to it.
   * @returns how many there were.
   */
  publish(limit: number, add: (events: PublishedEvent[]) => Promise<void>): Promise<number> {
    return this.lazily(async tx => {
      const rows = await tx.query<OutboxRow & { put_back: boolean }>(
        `SELECT ${eventColumns}, put_back FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
        [limit],
      );
      if (rows.length === 0) return 0;
      const events = rows.map(row => ({ ...toEvent(row), alone: row.put_back }));
      await add(events);
      tx.queryWithCommit(`UPDATE outbox SET published_at = clock_timestamp() WHERE ${LISTED}`, columnsOf(events));
      return rows.length;
    });
  }

  /** The events were delivered: their rows go. */
  confirm(refs: readonly EventRef[]): Promise<void> {
    return this.lazily(async tx => tx.queryWithCommit(`DELETE FROM outbox WHERE ${LISTED}`, columnsOf(refs)));
  }

  /** The event will not be tried again until somebody says so. False if it is no longer there. */
  park(ref: EventRef, reason: string): Promise<boolean> {
    return this.lazily(async tx => {
      const rows = await tx.query(
        `UPDATE outbox SET failed_at = clock_timestamp(), failure = $3, published_at = coalesce(published_at, now())
         WHERE ${LISTED} RETURNING id`,
        [...columnsOf([ref]), reason],
      );
      return rows.length > 0;
    });
  }

  /** Has an event published once more; false if that was done before, or if the event is no longer there. */
  putBackOnce(ref: EventRef): Promise<boolean> {
    return this.lazily(async tx => {
      const rows = await tx.query(
        `UPDATE outbox SET published_at = NULL, put_back = true WHERE ${LISTED} AND NOT put_back RETURNING id`,
        columnsOf([ref]),
      );
      return rows.length > 0;
    });
  }

  /**
   * Events that were published longer than `ageMs` ago and never confirmed become unpublished again. Each time it
   * takes twice as long, up to ten times `ageMs`, so that a long queue is not carried there over and over.
   * @returns how many, at most `limit`.
   */
  returnOverdue(ageMs: number, limit: number): Promise<number> {
    return this.lazily(async tx => {
      const rows = await tx.query(
        `UPDATE outbox SET published_at = NULL WHERE (workspace_id, id) IN (
           SELECT workspace_id, id FROM outbox, make_interval(secs => $1) AS age
           WHERE published_at < clock_timestamp() - age AND failed_at IS NULL
             AND published_at < clock_timestamp() - least(published_at - created_at, 10 * age)
           ORDER BY published_at LIMIT $2 FOR UPDATE OF outbox SKIP LOCKED)
         RETURNING id`,
        [ageMs / 1000, limit],
      );
      return rows.length;
    });
  }

  private lazily<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.work.system(async tx => {
      const [, result] = await Promise.all([tx.query('SET LOCAL synchronous_commit = off'), work(tx)]);
      return result;
    });
  }
}

/** Reads a row of the outbox. */
export function toEvent(row: OutboxRow): HubEvent {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    type: row.type,
    payload: row.payload,
    occurredAt: row.created_at,
  };
}

function columnsOf(refs: readonly EventRef[]): [workspaces: string[], ids: string[]] {
  return [refs.map(ref => ref.workspaceId), refs.map(ref => ref.id)];
}
