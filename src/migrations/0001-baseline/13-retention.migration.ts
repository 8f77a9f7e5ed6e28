import { Migration } from '@mikro-orm/migrations';
import { isolateTenants } from './row-level-security.js';

/**
 * How long a workspace keeps data, and the runs of the nightly job that applies it. `raw_cleared_to` is the ID up to
 * which raw payloads were removed: IDs of observations are ordered by time, so the next run begins there.
 *
 * Only `rapport_eraser` may remove rows of the log; the privileges are the fewest that retention needs.
 */
export class RetentionMigration extends Migration {
  override name = '0001-baseline-13-retention';

  override up(): void {
    this.addSql(`
      CREATE TABLE retention_settings (
        workspace_id uuid NOT NULL PRIMARY KEY,
        days jsonb NOT NULL,
        raw_cleared_to uuid,
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    this.addSql(`
      CREATE TABLE retention_runs (
        workspace_id uuid NOT NULL,
        day date NOT NULL,
        removed jsonb NOT NULL DEFAULT '{}',
        started_at timestamptz NOT NULL DEFAULT now(),
        active_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        PRIMARY KEY (workspace_id, day)
      )`);
    for (const table of ['retention_settings', 'retention_runs']) {
      for (const sql of isolateTenants(table)) this.addSql(sql);
    }
    this.addSql('GRANT SELECT, INSERT, UPDATE ON retention_settings TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON retention_runs TO rapport_app');
    this.addSql('GRANT USAGE ON SCHEMA public TO rapport_eraser');
    this.addSql('GRANT SELECT, UPDATE ON retention_settings, retention_runs TO rapport_eraser');
    this.addSql('GRANT SELECT, UPDATE, DELETE ON observations TO rapport_eraser');
    this.addSql('GRANT SELECT, DELETE ON notes, note_chunks, note_words, note_numbers TO rapport_eraser');
    this.addSql('GRANT SELECT, UPDATE, DELETE ON note_terms, note_trigrams TO rapport_eraser');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON note_statistics TO rapport_eraser');
    this.addSql('GRANT SELECT, DELETE ON plugin_store, inbound_events TO rapport_eraser');
  }
}
