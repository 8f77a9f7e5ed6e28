/**
 * SQL of the position of the current transaction in the order of commits, for the default of a column. Rows of one
 * transaction have the same one. A position below {@link COMMIT_HORIZON} is final: no row with a lower one can appear
 * later.
 */
export const COMMIT_POSITION = 'current_commit_position()';

/** SQL of the position from which on transactions may still run. Only rows below it are read in the order of commits. */
export const COMMIT_HORIZON = '(commit_base() + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)';

/** Name of the columns that have it. They mean something in this database only, so no backup or export has them. */
export const COMMIT_POSITION_COLUMN = 'commit_position';

/**
 * Positions are transaction numbers above a base. Another server counts its transactions from another number, and one
 * that was restored to a point in time uses numbers again. So a server that does not know the base gets one that grows
 * with the clock, 2^32 for each second since 2020: more than a server can use up. The comment of the function tells
 * which server the base belongs to. Runs after the migrations; an older schema has no such function.
 */
export const ALIGN_COMMIT_BASE = `
  DO $$
  DECLARE
    base regprocedure := to_regprocedure('commit_base()');
    server text := (
      SELECT system_identifier || '/' || timeline_id FROM pg_control_system(), pg_control_checkpoint());
    seconds bigint := extract(epoch FROM clock_timestamp() - timestamptz '2020-01-01 00:00:00Z');
  BEGIN
    IF base IS NULL OR obj_description(base, 'pg_proc') = server THEN
      RETURN;
    END IF;
    EXECUTE format('CREATE OR REPLACE FUNCTION commit_base() RETURNS bigint LANGUAGE sql STABLE AS %L',
      format('SELECT %s::bigint', seconds * 4294967296));
    EXECUTE format('COMMENT ON FUNCTION commit_base() IS %L', server);
  END $$`;
