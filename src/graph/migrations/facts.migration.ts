import { Migration } from '@mikro-orm/migrations';

/** What a workspace says about itself, section by section. Each write is a version of its own; none is ever changed. */
export class FactsMigration extends Migration {
  override name = '2026-11-20-facts';

  override up(): void {
    this.addSql(`
      CREATE TABLE workspace_facts (
        workspace_id uuid NOT NULL,
        section text NOT NULL,
        version int NOT NULL CHECK (version > 0),
        id uuid NOT NULL,
        content jsonb NOT NULL,
        source text NOT NULL,
        author uuid,
        note text,
        subject text,
        confidence double precision NOT NULL,
        source_path text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (workspace_id, section, version)
      )`);
    this.addSql('ALTER TABLE workspace_facts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY');
    this.addSql('CREATE POLICY tenant ON workspace_facts TO rapport_app USING (workspace_id = current_workspace())');
    this.addSql('GRANT SELECT, INSERT ON workspace_facts TO rapport_app');
    // Which domains are whose own is asked by every write about somebody new, and answered from memory.
    this.addSql(`
      CREATE POLICY directory ON workspace_facts FOR SELECT TO rapport_system USING (section = 'profile')`);
    this.addSql('GRANT SELECT (workspace_id, section, version, content) ON workspace_facts TO rapport_system');
  }
}
