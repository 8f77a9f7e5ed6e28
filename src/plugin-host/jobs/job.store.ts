import { Injectable } from '@nestjs/common';
import type { Plan } from '#domain/plans/tiers.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { DeadLetter, JobRef, JobMessage, PluginJobRecord } from './plugin-job.js';

/** Advisory lock (ASCII "RPJB"): one process dispatches at a time, so that the limit per workspace holds. */
export const DISPATCH_LOCK = 0x52504a42;

/**
 * Selects the next jobs fairly: for each workspace with waiting jobs, as many as bring its queued jobs to $2, and the
 * first of each workspace before the second of any. Skips from workspace to workspace along the index (loose index
 * scan), so the cost does not grow with the number of jobs of a workspace. $1 plugins, $2 maximum queued jobs per
 * workspace and plugin, $3 maximum number of rows.
 */
export const SELECT_NEXT_JOBS = `
  WITH RECURSIVE lane AS (
    (SELECT plugin, workspace_id FROM plugin_jobs WHERE state = 'waiting' AND plugin = ANY ($1)
     ORDER BY plugin, workspace_id LIMIT 1)
    UNION ALL
    SELECT next.plugin, next.workspace_id FROM lane, LATERAL (
      SELECT plugin, workspace_id FROM plugin_jobs
      WHERE state = 'waiting' AND plugin = ANY ($1) AND (plugin, workspace_id) > (lane.plugin, lane.workspace_id)
      ORDER BY plugin, workspace_id LIMIT 1) AS next
  )
  SELECT lane.plugin, lane.workspace_id, job.id, job.dispatch_seq FROM lane, LATERAL (
    SELECT id, dispatch_seq, row_number() OVER (ORDER BY run_at, id) AS rank FROM plugin_jobs
    WHERE state = 'waiting' AND plugin = lane.plugin AND workspace_id = lane.workspace_id
      AND run_at <= clock_timestamp()
    ORDER BY run_at, id
    LIMIT greatest(0, $2 - (SELECT count(*) FROM plugin_jobs AS queued
      WHERE queued.state = 'queued' AND queued.plugin = lane.plugin AND queued.workspace_id = lane.workspace_id))
  ) AS job
  ORDER BY job.rank, job.id LIMIT $3`;

/** Selects rows by workspace ($1) and ID ($2). */
export const BY_WORKSPACE_AND_ID = '(workspace_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))';

/** Selects the job of a message, with the plan of its workspace. $1 workspace, $2 ID, $3 dispatch sequence number. */
export const SELECT_JOB = `
  SELECT job.workspace_id AS "workspaceId", job.id, job.dispatch_seq AS "dispatchSeq", job.plugin, job.kind, job.name, job.payload,
         job.connection_id AS "connectionId", job.attempts, job.deferrals, job.created_at AS "createdAt",
         job.dedupe_key IS NOT NULL AS "isDeduplicated", workspace.plan
  FROM plugin_jobs AS job LEFT JOIN workspaces AS workspace ON workspace.id = job.workspace_id
  WHERE job.workspace_id = $1 AND job.id = $2 AND job.dispatch_seq = $3 AND job.state <> 'dead'`;

/** Deletes a finished job unless a rerun was requested. $1 workspaces, $2 IDs. */
export const COMPLETE = `DELETE FROM plugin_jobs WHERE ${BY_WORKSPACE_AND_ID} AND rerun_at IS NULL RETURNING id`;

/** Resets a finished job whose rerun was requested. $1 workspaces, $2 IDs. */
export const RERUN = `
  UPDATE plugin_jobs SET state = 'waiting', queued_at = NULL, dispatch_seq = dispatch_seq + 1, attempts = 0, deferrals = 0,
    run_at = rerun_at, rerun_at = NULL WHERE ${BY_WORKSPACE_AND_ID} AND rerun_at IS NOT NULL`;

/** Reduces an array payload to the elements at the zero-based positions $3. $1 workspaces, $2 IDs. */
export const RETAIN_ITEMS = `
  UPDATE plugin_jobs SET payload = (
    SELECT jsonb_agg(part ORDER BY position) FROM jsonb_array_elements(payload) WITH ORDINALITY AS parts (part, position)
    WHERE position - 1 = ANY ($3::int[]))
  WHERE ${BY_WORKSPACE_AND_ID}`;

/**
 * Re-queues jobs that have been queued for too long; the queue may have been wiped. $1 seconds, $2 maximum number of
 * rows.
 */
export const REQUEUE_OVERDUE = `
  UPDATE plugin_jobs SET state = 'waiting', queued_at = NULL WHERE (workspace_id, id) IN (
    SELECT workspace_id, id FROM plugin_jobs
    WHERE state = 'queued' AND queued_at < clock_timestamp() - make_interval(secs => $1)
    ORDER BY queued_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING id`;

/**
 * Releases held jobs whose plan now includes their plugin. $1 and $2 pairs of plugin and plan, $3 maximum number of
 * rows.
 */
export const RELEASE_HELD = `
  UPDATE plugin_jobs SET state = 'waiting', run_at = clock_timestamp() WHERE (workspace_id, id) IN (
    SELECT job.workspace_id, job.id FROM plugin_jobs AS job JOIN workspaces ON workspaces.id = job.workspace_id
    WHERE job.state = 'held' AND (job.plugin, workspaces.plan) IN (SELECT * FROM unnest($1::text[], $2::text[]))
    LIMIT $3 FOR UPDATE OF job SKIP LOCKED)
  RETURNING id`;

/** Selects dead letters, newest first. $1 plugin or null for all, $2 maximum number of rows. */
export const SELECT_DEAD_LETTERS = `
  SELECT workspace_id AS "workspaceId", id, plugin, kind, name, attempts AS tries, created_at AS "createdAt",
         failed_at AS "failedAt", last_error AS reason
  FROM plugin_jobs WHERE state = 'dead' AND ($1::text IS NULL OR plugin = $1) ORDER BY failed_at DESC LIMIT $2`;

/** Re-queues dead letters. $1 plugin or null for all, $2 IDs or null for all. */
export const REDRIVE = `
  UPDATE plugin_jobs SET state = 'waiting', attempts = 0, dispatch_seq = dispatch_seq + 1, run_at = now(), failed_at = NULL, last_error = NULL
  WHERE state = 'dead' AND ($1::text IS NULL OR plugin = $1) AND ($2::uuid[] IS NULL OR id = ANY ($2)) RETURNING id`;

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

  /** Marks a queued job as running now, so that it is not re-queued as lost. */
  markRunning(ref: JobRef): Promise<void> {
    return this.withAsyncCommit(async tx =>
      tx.deferToCommit(
        `UPDATE plugin_jobs SET queued_at = clock_timestamp() WHERE ${BY_WORKSPACE_AND_ID} AND state = 'queued'`,
        toColumns([ref]),
      ),
    );
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
