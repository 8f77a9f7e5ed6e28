import { listEventNames } from '#domain/properties/registry.js';
import { type RetentionKind, DEFAULT_RETENTION, type RetentionDays } from '#domain/retention/retention.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { firstIdAt } from '#kernel/ids.js';
import { deleteNotes, type ErasedNote } from '../erasures/note.phases.js';

/** What a batch removed. */
export interface RemovedBatch {
  readonly removed: number;
  /** Whether more may be left. */
  readonly hasMore: boolean;
}

/** Removes at most one batch of data that is older than `before`, in the transaction of the eraser's role. */
export type Removal = (tx: Tx, before: Instant) => Promise<RemovedBatch>;

/** Maximum number of rows that a batch looks at. */
const BATCH_SIZE = 1000;
/** A note has many rows in the search index. */
const NOTE_BATCH_SIZE = 50;

/** All properties under which the log may contain visits of pages. */
const PAGE_VISITS = listEventNames('interaction.page_visited');

/** How each kind of data is removed. */
export const REMOVALS: Readonly<Record<RetentionKind, Removal>> = {
  raw_payloads: clearRawPayloads,
  notes: removeNotes,
  page_visits: removePageVisits,
  deliveries: (tx, before) =>
    countRows(
      tx,
      `DELETE FROM plugin_store WHERE (workspace_id, plugin, connection_id, key) IN (
         SELECT workspace_id, plugin, connection_id, key FROM plugin_store
         WHERE workspace_id = $1 AND plugin = 'triggers' AND key >= 'log:' AND key < 'log;' AND updated_at < $2
         LIMIT $3)
       RETURNING 1`,
      before,
    ),
  inbound_events: (tx, before) =>
    countRows(
      tx,
      `DELETE FROM inbound_events WHERE (workspace_id, id) IN (
         SELECT workspace_id, id FROM inbound_events
         WHERE workspace_id = $1 AND id < $4::uuid AND received_at < $2 ORDER BY id LIMIT $3)
       RETURNING 1`,
      before,
      [firstIdAt(before / 1000)],
    ),
};

/**
 * Clears the payloads of the next observations by ID, and remembers how far it came: IDs are ordered by the time at which
 * they were recorded, so no row is looked at twice.
 */
async function clearRawPayloads(tx: Tx, before: Instant): Promise<RemovedBatch> {
  const [batch] = await tx.query<{ last: string | null; looked: number; removed: number }>(
    `WITH page AS MATERIALIZED (
       SELECT id, raw IS NOT NULL AS has_raw FROM observation_log
       WHERE workspace_id = $1 AND id < $2::uuid AND id > coalesce(
         (SELECT raw_cleared_to FROM retention_settings WHERE workspace_id = $1),
         '00000000-0000-0000-0000-000000000000')
       ORDER BY id LIMIT $3
     ), cleared AS (
       UPDATE observation_log SET raw = NULL FROM page
       WHERE observation_log.workspace_id = $1 AND observation_log.id = page.id AND page.has_raw RETURNING 1
     )
     SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*) FROM page)::int AS looked,
            (SELECT count(*) FROM cleared)::int AS removed`,
    [tx.workspace, firstIdAt(before / 1000), BATCH_SIZE],
  );
  const { last, looked, removed } = batch!;
  if (last !== null) {
    tx.deferToCommit('UPDATE retention_settings SET raw_cleared_to = $2 WHERE workspace_id = $1', [tx.workspace, last]);
  }
  return { removed, hasMore: looked === BATCH_SIZE };
}

/** Deletes the oldest notes by the time at which they were saved. What was recorded from them stays. */
async function removeNotes(tx: Tx, before: Instant): Promise<RemovedBatch> {
  const notes = await tx.query<ErasedNote>(
    `SELECT id, title, content FROM note_log WHERE workspace_id = $1 AND id < $2::uuid AND created_at < $3
     ORDER BY id LIMIT $4`,
    [tx.workspace, firstIdAt(before / 1000), toIso(before), NOTE_BATCH_SIZE],
  );
  await deleteNotes(tx, notes);
  return { removed: notes.length, hasMore: notes.length === NOTE_BATCH_SIZE };
}

/** Deletes visits of pages. They imply no fact, so no claim changes. */
function removePageVisits(tx: Tx, before: Instant): Promise<RemovedBatch> {
  return countRows(
    tx,
    `DELETE FROM observation_log WHERE (workspace_id, id) IN (
       SELECT workspace_id, id FROM observation_log
       WHERE workspace_id = $1 AND property COLLATE "C" = ANY ($4) AND happens_at > '-infinity' AND happens_at < $2
       LIMIT $3)
     RETURNING 1`,
    before,
    [PAGE_VISITS],
  );
}

async function countRows(tx: Tx, sql: string, before: Instant, values: readonly unknown[] = []): Promise<RemovedBatch> {
  const rows = await tx.query(sql, [tx.workspace, toIso(before), BATCH_SIZE, ...values]);
  return { removed: rows.length, hasMore: rows.length === BATCH_SIZE };
}

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
