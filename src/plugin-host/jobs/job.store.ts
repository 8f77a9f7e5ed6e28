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

/** Limits how many jobs are dispatched at once. */
export interface DispatchQuota {
  /** IDs of the running plugins. */
  readonly plugins: readonly string[];
  /** Maximum number of jobs of one workspace in the queue of one plugin. */
  readonly perWorkspace: number;
  readonly limit: number;
}

/** A message with the plugin whose queue receives it. */
export type AddressedMessage = JobMessage & { readonly plugin: string };

/**
 * Stores the jobs of plugins for the dispatcher, the workers and operators. A row exists from the transaction that
 * enqueued the job until the job is done. It is `waiting`, then `queued`, and deleted at the end; `held` until the plan
 * includes its plugin again; or `dead` until an operator re-queues it.
 */
@Injectable()
export class JobStore {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Passes the next jobs to `add` and marks them as queued; if `add` fails, nothing is marked.
   * @returns the number of jobs, or `busy` if another process is dispatching
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
      // Marks the rows before adding the messages: a fast worker then waits for this commit to save its outcome.
      const queued = `UPDATE plugin_jobs SET state = 'queued', queued_at = clock_timestamp() WHERE ${BY_WORKSPACE_AND_ID}`;
      await tx.query(queued, toColumns(messages));
      await add(messages);
      return messages.length;
    });
  }

  /** Finds the job of a message; returns undefined if it is done or was dispatched again since. */
  find({ workspaceId, id, dispatchSeq }: JobMessage): Promise<PluginJobRecord | undefined> {
    return this.work.system(
      async tx => (await tx.query<PluginJobRecord>(SELECT_JOB, [workspaceId, id, dispatchSeq]))[0],
    );
  }

  /** Deletes a finished job, or resets it if a rerun was requested. */
  complete(ref: JobRef & Partial<Pick<PluginJobRecord, 'isDeduplicated'>>): Promise<void> {
    const row = toColumns([ref]);
    return this.withAsyncCommit(async tx => {
      if (!ref.isDeduplicated) return tx.deferToCommit(`DELETE FROM plugin_jobs WHERE ${BY_WORKSPACE_AND_ID}`, row);
      const deleted = await tx.query(COMPLETE, row);
      if (deleted.length === 0) tx.deferToCommit(RERUN, row);
    });
  }

  /** Reschedules a job in `ms` milliseconds, with its new numbers of attempts and deferrals. */
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

  /** Reduces a batch of events to those at the given positions. */
  retainFailed(ref: JobRef, indexes: readonly number[]): Promise<void> {
    return this.withAsyncCommit(async tx => tx.deferToCommit(RETAIN_ITEMS, [...toColumns([ref]), indexes]));
  }

  /** Holds a job until the plan of its workspace includes its plugin again. */
  hold(ref: JobRef): Promise<void> {
    return this.withAsyncCommit(async tx =>
      tx.deferToCommit(
        `UPDATE plugin_jobs SET state = 'held', queued_at = NULL, dispatch_seq = dispatch_seq + 1 WHERE ${BY_WORKSPACE_AND_ID}`,
        toColumns([ref]),
      ),
    );
  }

  /** Releases held jobs by the plans that include their plugins. @returns how many, at most `limit` */
  releaseHeld(
    includedPlans: readonly { readonly plugin: string; readonly plan: Plan }[],
    limit: number,
  ): Promise<number> {
    const columns = [includedPlans.map(({ plugin }) => plugin), includedPlans.map(({ plan }) => plan)];
    return this.withAsyncCommit(async tx => (await tx.query(RELEASE_HELD, [...columns, limit])).length);
  }

  /** Makes a job a dead letter, which is not retried until an operator re-queues it. */
  deadLetter(ref: JobRef, reason: string): Promise<void> {
    return this.withAsyncCommit(async tx =>
      tx.deferToCommit(
        `UPDATE plugin_jobs SET state = 'dead', queued_at = NULL, dedupe_key = NULL, attempts = attempts + 1, failed_at = clock_timestamp(),
           last_error = $3 WHERE ${BY_WORKSPACE_AND_ID}`,
        [...toColumns([ref]), reason.slice(0, MAX_REASON_LENGTH)],
      ),
    );
  }

  /** Re-queues jobs that were queued longer than `ageMs` ago. @returns how many, at most `limit` */
  requeueOverdue(ageMs: number, limit: number): Promise<number> {
    return this.withAsyncCommit(async tx => (await tx.query(REQUEUE_OVERDUE, [ageMs / 1000, limit])).length);
  }

  /** Lists dead letters of all workspaces, newest first. @param limit default 100, at most 1000 */
  listDead(plugin?: string, limit = 100): Promise<DeadLetter[]> {
    return this.work.system(tx =>
      tx.query<DeadLetter>(SELECT_DEAD_LETTERS, [plugin ?? null, Math.min(limit, MAX_LISTED)]),
    );
  }

  /** Re-queues dead letters with all their attempts. @param ids default: all @returns how many */
  redrive(plugin?: string, ids?: readonly string[]): Promise<number> {
    return this.work.system(async tx => (await tx.query(REDRIVE, [plugin ?? null, ids ?? null])).length);
  }

  /** Runs a transaction without waiting for the disk. If the server crashes, a lost commit only repeats a job. */
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
