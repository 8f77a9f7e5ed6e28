import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './row-level-security.js';

/**
 * Runs of plugins: their state between two steps, and the rows that they did not take. JSON is stored as text, because
 * plugins may return what `jsonb` refuses.
 */
export class RunsMigration extends Migration {
  override name = '0001-baseline-17-runs';

  override up(): void {
    this.addSql(`
      CREATE TABLE plugin_runs (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        plugin text NOT NULL,
        name text NOT NULL,
        connection_id uuid,
        dedupe_key text,
        input json NOT NULL,
        status text NOT NULL DEFAULT 'queued'
          CHECK (status IN ('queued', 'running', 'paused', 'finished', 'failed', 'cancelled')),
        step integer NOT NULL DEFAULT 1,
        state json,
        done bigint NOT NULL DEFAULT 0,
        total bigint,
        message text,
        reported integer NOT NULL DEFAULT 0,
        result json,
        error text,
        dispatches integer NOT NULL DEFAULT 0,
        lease uuid,
        lease_expires_at timestamptz,
        created_by text,
        created_at timestamptz NOT NULL DEFAULT now(),
        started_at timestamptz,
        updated_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        PRIMARY KEY (workspace_id, id)
      ) WITH (fillfactor = 80)`);
    this.addSql('CREATE INDEX plugin_runs_plugin ON plugin_runs (workspace_id, plugin, id)');
    this.addSql(`
      CREATE UNIQUE INDEX plugin_runs_dedupe_key ON plugin_runs (workspace_id, plugin, dedupe_key)
      WHERE dedupe_key IS NOT NULL`);
    this.addSql('CREATE INDEX plugin_runs_age ON plugin_runs (finished_at) WHERE finished_at IS NOT NULL');
    this.addSql(`
      CREATE TABLE plugin_run_reports (
        workspace_id uuid NOT NULL,
        run_id uuid NOT NULL,
        step integer NOT NULL,
        position integer NOT NULL,
        at text NOT NULL,
        field text,
        error text NOT NULL,
        cells text[],
        PRIMARY KEY (workspace_id, run_id, step, position)
      )`);
    for (const table of ['plugin_runs', 'plugin_run_reports']) {
      for (const sql of isolateTenants(table)) this.addSql(sql);
      this.addSql(showToSystem(table));
    }
    this.addSql('GRANT SELECT, INSERT, UPDATE ON plugin_runs TO rapport_app');
    this.addSql('GRANT SELECT, INSERT ON plugin_run_reports TO rapport_app');
    this.addSql('GRANT SELECT, UPDATE ON plugin_runs, plugin_run_reports TO rapport_eraser');
    this.addSql('GRANT SELECT (workspace_id, id, finished_at), DELETE ON plugin_runs TO rapport_system');
    this.addSql('GRANT SELECT (workspace_id, run_id, step, position), DELETE ON plugin_run_reports TO rapport_system');
  }
}
