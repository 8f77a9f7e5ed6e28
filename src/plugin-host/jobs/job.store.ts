import { Injectable } from '@nestjs/common';
import type { Plan } from '#domain/plans/tiers.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import {
  RERUN,
  DISPATCH_LOCK,
  COMPLETE,
  SELECT_JOB,
  RETAIN_ITEMS,
  BY_WORKSPACE_AND_ID,
  SELECT_NEXT_JOBS,
  REDRIVE,
  REQUEUE_OVERDUE,
  SELECT_DEAD_LETTERS,
  RELEASE_HELD,
} from './job.queries.js';
import type { DeadLetter, JobRef, JobMessage, PluginJobRecord } from './plugin-job.js';

const MAX_LISTED = 1_000;
const MAX_REASON_LENGTH = 2_000;

/** How many jobs are handed out at once. */
export interface DispatchQuota {
  /** Plugins that can take jobs now. */
  readonly plugins: readonly string[];
  /** Jobs of one workspace in the queue of one plugin at most. */
  readonly perWorkspace: number;
  readonly limit: number;
}

/** A ticket with the plugin whose queue it goes to. */
export type AddressedMessage = JobMessage & { readonly plugin: string };

/**
 * Jobs of plugins as the dispatcher, the workers and operators use them. A row is there from the transaction that
 * gave the job until it is done: waiting, queued, then deleted; held until the plan includes its plugin again;
 * or dead, and kept until somebody sends it again.
 */
@Injectable()
export class JobStore {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Hands the next jobs to `add` and marks them as queued, which they are only if they were added.
   * @returns how many there were; `busy` when another process is at it.
   */
  claim(
    { plugins, perWorkspace, limit }: DispatchQuota,
    add: (messages: readonly AddressedMessage[]) => Promise<void>,
  ): Promise<number | 'busy'> {
    return this.withAsyncCommit(async tx => {
      const [lock] = await tx.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
        DISPATCH_LOCK,
      ]);
      if (!lock?.locked) return 'busy';
      const rows = await tx.query<{ plugin: string; workspace_id: string; id: string; dispatch_seq: number }>(
        SELECT_NEXT_JOBS,
        [plugins, perWorkspace, limit],
      );
      if (rows.length === 0) return 0;
      const messages = rows.map(({ plugin, workspace_id, id, dispatch_seq }) => ({
        plugin,
        workspaceId: workspace_id,
        id,
        dispatchSeq: dispatch_seq,
      }));
      // Marked before they are added: a worker that is quick waits with its outcome until this has been committed.
      const queued = `UPDATE plugin_jobs SET state = 'queued', queued_at = clock_timestamp() WHERE ${BY_WORKSPACE_AND_ID}`;
      await tx.query(queued, toColumns(messages));
      await add(messages);
      return messages.length;
    });
  }

  /** The job of a ticket; undefined when it was done, or sent again since. */
  find({ workspaceId, id, dispatchSeq }: JobMessage): Promise<PluginJobRecord | undefined> {
    return this.work.system(
      async tx => (await tx.query<PluginJobRecord>(SELECT_JOB, [workspaceId, id, dispatchSeq]))[0],
    );
  }

  /** The job is done: its row goes, or begins anew when the job was asked to come once more. */
  complete(ref: JobRef & Partial<Pick<PluginJobRecord, 'isDeduplicated'>>): Promise<void> {
    const row = toColumns([ref]);
    return this.withAsyncCommit(async tx => {
      if (!ref.isDeduplicated) return tx.deferToCommit(`DELETE FROM plugin_jobs WHERE ${BY_WORKSPACE_AND_ID}`, row);
      const deleted = await tx.query(COMPLETE, row);
      if (deleted.length === 0) tx.deferToCommit(RERUN, row);
    });
  }

  /** The job is tried again in `ms` milliseconds, with what is counted of it by then. */
  reschedule(
    ref: JobRef,
    ms: number,
    { attempts, deferrals }: Pick<PluginJobRecord, 'attempts' | 'deferrals'>,
  ): Promise<void> {
    return this.withAsyncCommit(async tx =>
      tx.deferToCommit(
        `UPDATE plugin_jobs SET state = 'waiting', queued_at = NULL, dispatch_seq = dispatch_seq + 1, attempts = $3, deferrals = $4,
           run_at = clock_timestamp() + make_interval(secs => $5) WHERE ${BY_WORKSPACE_AND_ID}`,
        [...toColumns([ref]), attempts, deferrals, ms / 1000],
      ),
    );
  }

  /** Of the events that were gathered into the job only those at these places are left to do. */
  retainFailed(ref: JobRef, indexes: readonly number[]): Promise<void> {
    return this.withAsyncCommit(async tx => tx.deferToCommit(RETAIN_ITEMS, [...toColumns([ref]), indexes]));
  }

  /** The job is kept for the day that the plan of its workspace includes its plugin again. */
  hold(ref: JobRef): Promise<void> {
    return this.withAsyncCommit(async tx =>
      tx.deferToCommit(
        `UPDATE plugin_jobs SET state = 'held', queued_at = NULL, dispatch_seq = dispatch_seq + 1 WHERE ${BY_WORKSPACE_AND_ID}`,
        toColumns([ref]),
      ),
    );
  }

  /** Held jobs of plugins that these plans include wait again. @returns how many, at most `limit`. */
  releaseHeld(open: readonly { readonly plugin: string; readonly plan: Plan }[], limit: number): Promise<number> {
    const columns = [open.map(({ plugin }) => plugin), open.map(({ plan }) => plan)];
    return this.withAsyncCommit(async tx => (await tx.query(RELEASE_HELD, [...columns, limit])).length);
  }

  /** The job will not be tried again until somebody says so. */
  deadLetter(ref: JobRef, reason: string): Promise<void> {
    return this.withAsyncCommit(async tx =>
      tx.deferToCommit(
        `UPDATE plugin_jobs SET state = 'dead', queued_at = NULL, dedupe_key = NULL, attempts = attempts + 1, failed_at = clock_timestamp(),
           last_error = $3 WHERE ${BY_WORKSPACE_AND_ID}`,
        [...toColumns([ref]), reason.slice(0, MAX_REASON_LENGTH)],
      ),
    );
  }

  /** Jobs that were queued longer than `ageMs` ago wait again. @returns how many, at most `limit`. */
  requeueOverdue(ageMs: number, limit: number): Promise<number> {
    return this.withAsyncCommit(async tx => (await tx.query(REQUEUE_OVERDUE, [ageMs / 1000, limit])).length);
  }

  /** The newest dead jobs of all workspaces first. @param limit default 100, at most 1000 */
  listDead(plugin?: string, limit = 100): Promise<DeadLetter[]> {
    return this.work.system(tx =>
      tx.query<DeadLetter>(SELECT_DEAD_LETTERS, [plugin ?? null, Math.min(limit, MAX_LISTED)]),
    );
  }

  /** Sends dead jobs again from the first try on. @param ids which ones; left out: all. @returns how many. */
  redrive(plugin?: string, ids?: readonly string[]): Promise<number> {
    return this.work.system(async tx => (await tx.query(REDRIVE, [plugin ?? null, ids ?? null])).length);
  }

  /** Without waiting for the disk: what a crash of the server takes back is a job that is done again. */
  private withAsyncCommit<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.work.system(async tx => {
      const [, result] = await Promise.all([tx.query('SET LOCAL synchronous_commit = off'), work(tx)]);
      return result;
    });
  }
}

function toColumns(refs: readonly JobRef[]): [workspaces: string[], ids: string[]] {
  return [refs.map(ref => ref.workspaceId), refs.map(ref => ref.id)];
}
