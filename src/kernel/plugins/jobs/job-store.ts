import { Injectable } from '@nestjs/common';
import type { Plan } from '#domain/plans/tiers.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import {
  COME_AGAIN,
  DISPATCH_LOCK,
  END_UNLESS_WANTED,
  JOB_AT_HAND,
  KEEP_ONLY,
  LISTED,
  NEXT_JOBS,
  REDRIVE,
  RETURN_OVERDUE,
  THE_DEAD,
  UNLOCK,
} from './job.queries.js';
import type { DeadJob, JobRef, JobTicket, PluginJob } from './plugin-job.js';

const LONGEST_LIST = 1_000;
const LONGEST_REASON = 2_000;

/** How many jobs are handed out at once. */
export interface Portion {
  /** Plugins that can take jobs now. */
  readonly plugins: readonly string[];
  /** Jobs of one workspace in the queue of one plugin at most. */
  readonly perWorkspace: number;
  readonly limit: number;
}

/** A ticket with the plugin whose queue it goes to. */
export type AddressedTicket = JobTicket & { readonly plugin: string };

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
  take(
    { plugins, perWorkspace, limit }: Portion,
    add: (tickets: readonly AddressedTicket[]) => Promise<void>,
  ): Promise<number | 'busy'> {
    return this.lazily(async tx => {
      const [lock] = await tx.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
        DISPATCH_LOCK,
      ]);
      if (!lock?.locked) return 'busy';
      const rows = await tx.query<{ plugin: string; workspace_id: string; id: string; dispatch_seq: number }>(
        NEXT_JOBS,
        [plugins, perWorkspace, limit],
      );
      if (rows.length === 0) return 0;
      const tickets = rows.map(({ plugin, workspace_id, id, dispatch_seq }) => ({
        plugin,
        workspaceId: workspace_id,
        id,
        dispatchSeq: dispatch_seq,
      }));
      // Marked before they are added: a worker that is quick waits with its outcome until this has been committed.
      const queued = `UPDATE plugin_jobs SET state = 'queued', queued_at = clock_timestamp() WHERE ${LISTED}`;
      await tx.query(queued, columnsOf(tickets));
      await add(tickets);
      return tickets.length;
    });
  }

  /** The job of a ticket; undefined when it was done, or sent again since. */
  find({ workspaceId, id, dispatchSeq }: JobTicket): Promise<PluginJob | undefined> {
    return this.work.system(async tx => (await tx.query<PluginJob>(JOB_AT_HAND, [workspaceId, id, dispatchSeq]))[0]);
  }

  /** The job is done: its row goes, or begins anew when the job was asked to come once more. */
  done(ref: JobRef & Partial<Pick<PluginJob, 'isDeduplicated'>>): Promise<void> {
    const row = columnsOf([ref]);
    return this.lazily(async tx => {
      if (!ref.isDeduplicated) return tx.queryWithCommit(`DELETE FROM plugin_jobs WHERE ${LISTED}`, row);
      const gone = await tx.query(END_UNLESS_WANTED, row);
      if (gone.length === 0) tx.queryWithCommit(COME_AGAIN, row);
    });
  }

  /** The job is tried again in `ms` milliseconds, with what is counted of it by then. */
  putOff(ref: JobRef, ms: number, { attempts, deferrals }: Pick<PluginJob, 'attempts' | 'deferrals'>): Promise<void> {
    return this.lazily(async tx =>
      tx.queryWithCommit(
        `UPDATE plugin_jobs SET state = 'waiting', queued_at = NULL, dispatch_seq = dispatch_seq + 1, attempts = $3, deferrals = $4,
           run_at = clock_timestamp() + make_interval(secs => $5) WHERE ${LISTED}`,
        [...columnsOf([ref]), attempts, deferrals, ms / 1000],
      ),
    );
  }

  /** Of the events that were gathered into the job only those at these places are left to do. */
  keepOnly(ref: JobRef, places: readonly number[]): Promise<void> {
    return this.lazily(async tx => tx.queryWithCommit(KEEP_ONLY, [...columnsOf([ref]), places]));
  }

  /** The job is kept for the day that the plan of its workspace includes its plugin again. */
  lock(ref: JobRef): Promise<void> {
    return this.lazily(async tx =>
      tx.queryWithCommit(
        `UPDATE plugin_jobs SET state = 'held', queued_at = NULL, dispatch_seq = dispatch_seq + 1 WHERE ${LISTED}`,
        columnsOf([ref]),
      ),
    );
  }

  /** Held jobs of plugins that these plans include wait again. @returns how many, at most `limit`. */
  unlock(open: readonly { readonly plugin: string; readonly plan: Plan }[], limit: number): Promise<number> {
    const columns = [open.map(({ plugin }) => plugin), open.map(({ plan }) => plan)];
    return this.lazily(async tx => (await tx.query(UNLOCK, [...columns, limit])).length);
  }

  /** The job will not be tried again until somebody says so. */
  bury(ref: JobRef, reason: string): Promise<void> {
    return this.lazily(async tx =>
      tx.queryWithCommit(
        `UPDATE plugin_jobs SET state = 'dead', queued_at = NULL, dedupe_key = NULL, attempts = attempts + 1, failed_at = clock_timestamp(),
           last_error = $3 WHERE ${LISTED}`,
        [...columnsOf([ref]), reason.slice(0, LONGEST_REASON)],
      ),
    );
  }

  /** Jobs that were queued longer than `ageMs` ago wait again. @returns how many, at most `limit`. */
  returnOverdue(ageMs: number, limit: number): Promise<number> {
    return this.lazily(async tx => (await tx.query(RETURN_OVERDUE, [ageMs / 1000, limit])).length);
  }

  /** The newest dead jobs of all workspaces first. @param limit default 100, at most 1000 */
  dead(plugin?: string, limit = 100): Promise<DeadJob[]> {
    return this.work.system(tx => tx.query<DeadJob>(THE_DEAD, [plugin ?? null, Math.min(limit, LONGEST_LIST)]));
  }

  /** Sends dead jobs again from the first try on. @param ids which ones; left out: all. @returns how many. */
  redrive(plugin?: string, ids?: readonly string[]): Promise<number> {
    return this.work.system(async tx => (await tx.query(REDRIVE, [plugin ?? null, ids ?? null])).length);
  }

  /** Without waiting for the disk: what a crash of the server takes back is a job that is done again. */
  private lazily<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.work.system(async tx => {
      const [, result] = await Promise.all([tx.query('SET LOCAL synchronous_commit = off'), work(tx)]);
      return result;
    });
  }
}

function columnsOf(refs: readonly JobRef[]): [workspaces: string[], ids: string[]] {
  return [refs.map(ref => ref.workspaceId), refs.map(ref => ref.id)];
}
