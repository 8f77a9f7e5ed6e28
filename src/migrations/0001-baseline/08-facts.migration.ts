import { Migration } from '@mikro-orm/migrations';
import { isolateTenants } from './row-level-security.js';

/** Facts about the workspace, by section. Each write is a new version; no version is ever changed. */
export class FactsMigration extends Migration {
  override name = '0001-baseline-08-facts';

  override up(): void {
    this.addSql(`
      CREATE TABLE workspace_facts (
        workspace_id uuid NOT NULL,
        section text NOT NULL,
        version int NOT NULL CHECK (version > 0),
        id uuid NOT NULL,
        content jsonb NOT NULL,
        source text NOT NULL,
        author jsonb,
        note text,
        subject text,
        confidence double precision NOT NULL,
        source_path text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (workspace_id, section, version)
      )`);
    for (const sql of isolateTenants('workspace_facts')) this.addSql(sql);
    this.addSql('GRANT SELECT, INSERT ON workspace_facts TO rapport_app');
    // The workspace's own domains and its scales of tiers and bands are needed by many calls, so each process caches
    // those of all workspaces.
    this.addSql(`
      CREATE POLICY directory ON workspace_facts FOR SELECT TO rapport_system USING (section IN ('profile', 'icp'))`);
    this.addSql('GRANT SELECT (workspace_id, section, version, content) ON workspace_facts TO rapport_system');
  }
}
