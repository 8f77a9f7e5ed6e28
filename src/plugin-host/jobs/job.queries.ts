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
