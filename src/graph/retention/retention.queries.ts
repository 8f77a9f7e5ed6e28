import { DEFAULT_RETENTION, type RetentionDays, type RetentionKind } from '#domain/retention/retention.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Numbers of removed rows by kind. */
export type RemovedCounts = Readonly<Partial<Record<RetentionKind, number>>>;

/** The settings of a workspace. */
export interface RetentionSettings {
  readonly days: RetentionDays;
  /** Null if the workspace has changed nothing. */
  readonly updatedAt: Instant | null;
}

/** A run of the nightly job in one workspace. */
export interface RetentionRun {
  readonly day: string;
  readonly removed: RemovedCounts;
  readonly started_at: Instant;
  /** Null while it runs. */
  readonly finished_at: Instant | null;
}

/** Reads the settings; the defaults if the workspace has none. */
export async function readRetention(tx: Tx): Promise<RetentionSettings> {
  const [row] = await tx.query<{ days: Partial<RetentionDays>; updated_at: Instant }>(
    'SELECT days, updated_at FROM retention_settings WHERE workspace_id = $1',
    [tx.workspace],
  );
  return { days: { ...DEFAULT_RETENTION, ...row?.days }, updatedAt: row?.updated_at ?? null };
}

/** Locks the settings of the workspace against other writers until the transaction ends. */
export async function lockRetention(tx: Tx): Promise<void> {
  await tx.query(`SELECT count(pg_advisory_xact_lock(hashtextextended($1::text || ' retention', 0))) AS locked`, [
    tx.workspace,
  ]);
}

/** Saves the settings. */
export async function saveRetention(tx: Tx, days: RetentionDays): Promise<void> {
  await tx.query(
    `INSERT INTO retention_settings (workspace_id, days) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET days = excluded.days, updated_at = now()`,
    [tx.workspace, JSON.stringify(days)],
  );
}

/** Reads the newest run; undefined if there was none. */
export async function readLastRun(tx: Tx): Promise<RetentionRun | undefined> {
  const [row] = await tx.query<RetentionRun>(
    `SELECT day::text, removed, started_at, finished_at FROM retention_runs
     WHERE workspace_id = $1 ORDER BY day DESC LIMIT 1`,
    [tx.workspace],
  );
  return row;
}

/** Days for which runs are kept. */
const RUN_RETENTION_DAYS = 90;

/**
 * Claims the run of a day for this process: starts it, or resumes one that no process has worked on for five minutes.
 * @returns the time that ages are measured from; undefined if the run is done or another process works on it
 */
export async function claimRun(tx: Tx, day: string): Promise<Instant | undefined> {
  tx.deferToCommit(
    `DELETE FROM retention_runs WHERE workspace_id = $1 AND day < current_date - ${RUN_RETENTION_DAYS}`,
    [tx.workspace],
  );
  const [run] = await tx.query<{ started_at: Instant }>(
    `INSERT INTO retention_runs AS run (workspace_id, day) VALUES ($1, $2)
     ON CONFLICT (workspace_id, day) DO UPDATE SET active_at = now()
       WHERE run.finished_at IS NULL AND run.active_at < now() - interval '5 minutes'
     RETURNING started_at`,
    [tx.workspace, day],
  );
  return run?.started_at;
}

/** Adds removed rows to a run, in the transaction that removes them, and marks it as active. */
export function addRemoved(tx: Tx, day: string, kind: RetentionKind, count: number): void {
  tx.deferToCommit(
    `UPDATE retention_runs SET active_at = now(),
       removed = removed || jsonb_build_object($3::text, coalesce((removed ->> $3::text)::bigint, 0) + $4::bigint)
     WHERE workspace_id = $1 AND day = $2`,
    [tx.workspace, day, kind, count],
  );
}

/** Marks a run as finished. @returns what it removed, in all its parts */
export async function finishRun(tx: Tx, day: string): Promise<RemovedCounts> {
  const [row] = await tx.query<{ removed: RemovedCounts }>(
    'UPDATE retention_runs SET finished_at = now() WHERE workspace_id = $1 AND day = $2 RETURNING removed',
    [tx.workspace, day],
  );
  return row?.removed ?? {};
}
