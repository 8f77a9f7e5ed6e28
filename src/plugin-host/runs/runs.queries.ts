const COLUMNS = `id, plugin, name, connection_id AS "connectionId", status, step, done::float8 AS done, total::float8 AS total,
  message, reported, result, error, dispatches, created_at AS "createdAt", started_at AS "startedAt",
  updated_at AS "updatedAt", finished_at AS "finishedAt"`;

/** Seconds for which a process owns the step that it executes; it renews the lease while it lives. */
export const LEASE_SECONDS = 10;
const LEASE_END = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;
const THE_RUN = 'workspace_id = $1 AND id = $2';
const END = `lease = NULL, lease_expires_at = NULL, dedupe_key = NULL, finished_at = clock_timestamp(), updated_at = clock_timestamp()`;

/** Inserts a run unless an unfinished one has its key. $1 workspace, $2 ID, $3 plugin, $4 name, $5 connection, $6 key, $7 input, $8 creator, $9 names of cells of reports or null. */
export const INSERT_RUN = `
  INSERT INTO plugin_runs (workspace_id, id, plugin, name, connection_id, dedupe_key, input, created_by, report_columns)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`;

/** Selects the unfinished run with a key. $1 workspace, $2 plugin, $3 key. */
export const SELECT_BY_KEY = `
  SELECT ${COLUMNS} FROM plugin_runs WHERE workspace_id = $1 AND plugin = $2 AND dedupe_key = $3`;

/** Counts unfinished runs of a plugin, up to $3. $1 workspace, $2 plugin. */
export const COUNT_UNFINISHED = `
  SELECT count(*)::int AS count FROM (
    SELECT FROM plugin_runs WHERE workspace_id = $1 AND plugin = $2 AND finished_at IS NULL LIMIT $3) AS unfinished`;

/** Selects a run. $1 workspace, $2 ID, $3 plugin. */
export const SELECT_RUN = `SELECT ${COLUMNS} FROM plugin_runs WHERE ${THE_RUN} AND plugin = $3`;

/** Selects runs, newest first. $1 workspace, $2 plugin, $3 statuses or null, $4 name or null, $5 ID to start after or null, $6 limit. */
export const SELECT_RUNS = `
  SELECT ${COLUMNS} FROM plugin_runs
  WHERE workspace_id = $1 AND plugin = $2 AND ($3::text[] IS NULL OR status = ANY ($3))
    AND ($4::text IS NULL OR name = $4) AND ($5::uuid IS NULL OR id < $5)
  ORDER BY id DESC LIMIT $6`;

/** Takes the lease of a step that waits. $1 workspace, $2 ID, $3 step, $4 lease. */
export const CLAIM_STEP = `
  UPDATE plugin_runs SET status = 'running', lease = $4, lease_expires_at = ${LEASE_END},
    started_at = coalesce(started_at, clock_timestamp()), updated_at = clock_timestamp()
  WHERE ${THE_RUN} AND step = $3 AND status IN ('queued', 'running')
    AND (lease_expires_at IS NULL OR lease_expires_at < clock_timestamp())
  RETURNING ${COLUMNS}, input, state`;

/** Selects whether a step still waits while another process owns it. $1 workspace, $2 ID, $3 step. */
export const IS_STEP_OWNED = `
  SELECT FROM plugin_runs WHERE ${THE_RUN} AND step = $3 AND status IN ('queued', 'running')`;

/** Renews a lease and saves progress. $1 workspace, $2 ID, $3 lease, $4 done, $5 total, $6 message. */
export const RENEW_LEASE = `
  UPDATE plugin_runs SET lease_expires_at = ${LEASE_END}, done = $4, total = $5, message = $6,
    updated_at = CASE WHEN (done, total, message) IS DISTINCT FROM ($4::bigint, $5::bigint, $6::text)
      THEN clock_timestamp() ELSE updated_at END
  WHERE ${THE_RUN} AND lease = $3 AND status IN ('running', 'paused') RETURNING id`;

/** Gives a lease back after a failed attempt. $1 workspace, $2 ID, $3 lease. */
export const RELEASE_LEASE = `
  UPDATE plugin_runs SET lease = NULL, lease_expires_at = NULL WHERE ${THE_RUN} AND lease = $3 RETURNING id`;

/** Commits a step that is not the last one. $1 workspace, $2 ID, $3 lease, $4 step, $5 state, $6 done, $7 total, $8 message, $9 reported rows. */
export const COMMIT_STEP = `
  UPDATE plugin_runs SET step = step + 1, dispatches = 0, state = $5, done = $6, total = $7, message = $8,
    reported = reported + $9, lease = NULL, lease_expires_at = NULL, updated_at = clock_timestamp()
  WHERE ${THE_RUN} AND lease = $3 AND step = $4 AND status IN ('running', 'paused') RETURNING ${COLUMNS}`;

/** Commits the last step of a run. Parameters as in {@link COMMIT_STEP}, but $5 is the result. */
export const FINISH_RUN = `
  UPDATE plugin_runs SET status = 'finished', result = $5, done = $6, total = $7, message = $8, reported = reported + $9, ${END}
  WHERE ${THE_RUN} AND lease = $3 AND step = $4 AND status IN ('running', 'paused') RETURNING ${COLUMNS}`;

/** Fails the current step's run. $1 workspace, $2 ID, $3 step, $4 error. */
export const FAIL_RUN = `
  UPDATE plugin_runs SET status = 'failed', error = $4, ${END}
  WHERE ${THE_RUN} AND step = $3 AND status IN ('queued', 'running', 'paused') RETURNING ${COLUMNS}`;

/** Pauses, cancels or continues a run, by its status before ($4). $1 workspace, $2 ID, $3 plugin. */
export const CONTROL_RUN = {
  pause: `
    UPDATE plugin_runs SET status = 'paused', updated_at = clock_timestamp()
    WHERE ${THE_RUN} AND plugin = $3 AND status = ANY ($4) RETURNING ${COLUMNS}`,
  cancel: `
    UPDATE plugin_runs SET status = 'cancelled', ${END}
    WHERE ${THE_RUN} AND plugin = $3 AND status = ANY ($4) RETURNING ${COLUMNS}`,
  resume: `
    UPDATE plugin_runs SET status = 'queued', dispatches = dispatches + 1, error = NULL, finished_at = NULL,
      updated_at = clock_timestamp()
    WHERE ${THE_RUN} AND plugin = $3 AND status = ANY ($4) RETURNING ${COLUMNS}`,
} as const;

/** Inserts reported rows. $1 workspace, $2 run, $3 step, $4 rows as JSON. */
export const INSERT_REPORTS = `
  INSERT INTO plugin_run_reports (workspace_id, run_id, step, position, at, field, error, cells)
  SELECT $1, $2, $3, position, at, field, error, cells
  FROM json_to_recordset($4::json) AS row (position integer, at text, field text, error text, cells text[])`;

/** Selects the names of the cells of reported rows. $1 workspace, $2 run. */
export const SELECT_REPORT_COLUMNS = `SELECT report_columns AS columns FROM plugin_runs WHERE ${THE_RUN}`;

/** Selects reported rows in their order. $1 workspace, $2 run, $3 step and $4 position to start after, $5 limit. */
export const SELECT_REPORTS = `
  SELECT step, position, at, field, error, cells FROM plugin_run_reports
  WHERE workspace_id = $1 AND run_id = $2 AND (step, position) > ($3, $4) ORDER BY step, position LIMIT $5`;

/** Deletes reported rows of runs that ended more than $1 seconds ago, at most $2. */
export const DELETE_OLD_REPORTS = `
  DELETE FROM plugin_run_reports WHERE (workspace_id, run_id, step, position) IN (
    SELECT report.workspace_id, report.run_id, report.step, report.position FROM plugin_runs AS run
    JOIN plugin_run_reports AS report ON report.workspace_id = run.workspace_id AND report.run_id = run.id
    WHERE run.finished_at < now() - make_interval(secs => $1) LIMIT $2)
  RETURNING run_id`;

/** Deletes runs without reported rows that ended more than $1 seconds ago, at most $2. */
export const DELETE_OLD_RUNS = `
  DELETE FROM plugin_runs WHERE (workspace_id, id) IN (
    SELECT workspace_id, id FROM plugin_runs WHERE finished_at < now() - make_interval(secs => $1)
    ORDER BY finished_at LIMIT $2)
  RETURNING id`;
