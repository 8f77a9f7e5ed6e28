import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './row-level-security.js';

/**
 * The plugin host: the desired state of each plugin, the status that each process reports, the last slot of each
 * scheduled job, and the jobs and events that wait for plugins. The first three belong to the hub, not to a workspace.
 */
export class PluginsMigration extends Migration {
  override name = '0001-baseline-03-plugins';

  override up(): void {
    this.addSql(`
      CREATE TABLE plugin_desired_states (
        plugin text PRIMARY KEY,
        enabled boolean NOT NULL DEFAULT true,
        generation integer NOT NULL DEFAULT 0,
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);

    this.addSql(`
      CREATE TABLE plugin_statuses (
        process text NOT NULL,
        position integer NOT NULL,
        plugin text NOT NULL,
        package text NOT NULL,
        version text NOT NULL,
        state text NOT NULL,
        reason text,
        seen_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (process, position)
      )`);

    this.addSql(`
      CREATE TABLE plugin_schedules (
        plugin text NOT NULL,
        job text NOT NULL,
        last_slot bigint NOT NULL,
        PRIMARY KEY (plugin, job)
      )`);

    // Finished jobs are deleted, so the table is vacuumed early.
    this.addSql(`
      CREATE TABLE plugin_jobs (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        plugin text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('job', 'event', 'inbound', 'run')),
        name text NOT NULL,
        payload jsonb NOT NULL,
        connection_id uuid,
        dedupe_key text,
        state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'queued', 'held', 'dead')),
        attempts integer NOT NULL DEFAULT 0,
        deferrals integer NOT NULL DEFAULT 0,
        dispatch_seq integer NOT NULL DEFAULT 0,
        run_at timestamptz NOT NULL DEFAULT now(),
        queued_at timestamptz,
        rerun_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        failed_at timestamptz,
        last_error text,
        PRIMARY KEY (workspace_id, id)
      ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`);
    this.addSql(`
      CREATE INDEX plugin_jobs_waiting ON plugin_jobs (plugin, workspace_id, run_at, id) WHERE state = 'waiting'`);
    this.addSql(`
      CREATE UNIQUE INDEX plugin_jobs_dedupe_key ON plugin_jobs (workspace_id, plugin, dedupe_key)
      WHERE dedupe_key IS NOT NULL`);
    this.addSql(`CREATE INDEX plugin_jobs_queued ON plugin_jobs (plugin, workspace_id) WHERE state = 'queued'`);
    this.addSql(`CREATE INDEX plugin_jobs_unfinished ON plugin_jobs (queued_at) WHERE state = 'queued'`);
    this.addSql(`CREATE INDEX plugin_jobs_held ON plugin_jobs (plugin, workspace_id) WHERE state = 'held'`);
    this.addSql(`CREATE INDEX plugin_jobs_dead ON plugin_jobs (plugin, failed_at) WHERE state = 'dead'`);

    for (const sql of isolateTenants('plugin_jobs')) this.addSql(sql);
    this.addSql(showToSystem('plugin_jobs'));

    this.addSql('GRANT INSERT ON plugin_jobs TO rapport_app');
    // ON CONFLICT needs to read these columns when a job with the same key is there, and wakes it by the times.
    this.addSql(`
      GRANT SELECT (workspace_id, plugin, dedupe_key, state, run_at, rerun_at), UPDATE (run_at, rerun_at)
      ON plugin_jobs TO rapport_app`);
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON plugin_jobs TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON plugin_desired_states, plugin_schedules TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON plugin_statuses TO rapport_system');
  }
}
