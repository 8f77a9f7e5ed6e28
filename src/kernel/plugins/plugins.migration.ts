import { Migration } from '@mikro-orm/migrations';

/**
 * What the plugin host keeps: what operators want of each plugin, what every process makes of it, and the jobs and
 * events on their way to plugins. The first two belong to the hub and to no workspace.
 */
export class PluginsMigration extends Migration {
  override name = '2026-11-20-plugins';

  override up(): void {
    this.addSql(`
      CREATE TABLE plugin_wishes (
        plugin text PRIMARY KEY,
        enabled boolean NOT NULL DEFAULT true,
        generation integer NOT NULL DEFAULT 0,
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);

    this.addSql(`
      CREATE TABLE plugin_reports (
        process text NOT NULL,
        place integer NOT NULL,
        plugin text NOT NULL,
        package text NOT NULL,
        version text NOT NULL,
        state text NOT NULL,
        reason text,
        seen_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (process, place)
      )`);

    this.addSql(`
      CREATE TABLE plugin_jobs (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        plugin text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('job', 'event', 'inbound')),
        name text NOT NULL,
        payload jsonb NOT NULL,
        connection_id uuid,
        singleton text,
        state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'queued', 'locked', 'dead')),
        tries integer NOT NULL DEFAULT 0,
        postponed integer NOT NULL DEFAULT 0,
        round integer NOT NULL DEFAULT 0,
        run_at timestamptz NOT NULL DEFAULT now(),
        queued_at timestamptz,
        again_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        failed_at timestamptz,
        failure text,
        PRIMARY KEY (workspace_id, id)
      ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`);
    this.addSql(`
      CREATE INDEX plugin_jobs_waiting ON plugin_jobs (plugin, workspace_id, run_at, id) WHERE state = 'waiting'`);
    this.addSql(`
      CREATE UNIQUE INDEX plugin_jobs_singleton ON plugin_jobs (workspace_id, plugin, singleton)
      WHERE singleton IS NOT NULL`);
    this.addSql(`CREATE INDEX plugin_jobs_queued ON plugin_jobs (plugin, workspace_id) WHERE state = 'queued'`);
    this.addSql(`CREATE INDEX plugin_jobs_unfinished ON plugin_jobs (queued_at) WHERE state = 'queued'`);
    this.addSql(`CREATE INDEX plugin_jobs_locked ON plugin_jobs (plugin, workspace_id) WHERE state = 'locked'`);
    this.addSql(`CREATE INDEX plugin_jobs_dead ON plugin_jobs (plugin, failed_at) WHERE state = 'dead'`);

    this.addSql('ALTER TABLE plugin_jobs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY');
    this.addSql('CREATE POLICY tenant ON plugin_jobs TO rapport_app USING (workspace_id = current_workspace())');
    this.addSql('CREATE POLICY directory ON plugin_jobs TO rapport_system USING (true)');

    this.addSql('GRANT INSERT ON plugin_jobs TO rapport_app');
    this.addSql(`
      GRANT SELECT (workspace_id, plugin, singleton, state, run_at, again_at), UPDATE (run_at, again_at)
      ON plugin_jobs TO rapport_app`);
    this.addSql('GRANT UPDATE (status, body, created_at), DELETE ON idempotent_answers TO rapport_app');
    this.addSql('GRANT SELECT, UPDATE, DELETE ON plugin_jobs TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON plugin_wishes TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON plugin_reports TO rapport_system');
  }
}
