import { Migration } from '@mikro-orm/migrations';

/**
 * How far a workspace trusts its sources, in versions of which none is ever changed; how far the rebuild is that a new
 * version brings about; and what nightly checks of a sample have found.
 */
export class TrustMigration extends Migration {
  override name = '2026-11-20-trust';

  override up(): void {
    this.addSql(`
      CREATE TABLE trust_tables (
        workspace_id uuid NOT NULL,
        version int NOT NULL CHECK (version > 0),
        content jsonb NOT NULL,
        note text,
        author uuid,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (workspace_id, version)
      )`);
    this.addSql(`
      CREATE TABLE claim_rebuilds (
        workspace_id uuid NOT NULL,
        version int NOT NULL,
        after uuid,
        entities int NOT NULL DEFAULT 0,
        claims int NOT NULL DEFAULT 0,
        changed int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        finished_at timestamptz,
        PRIMARY KEY (workspace_id)
      )`);
    this.addSql(`
      CREATE TABLE claim_checks (
        workspace_id uuid NOT NULL,
        day date NOT NULL,
        claims int,
        differing int,
        PRIMARY KEY (workspace_id, day)
      )`);
    for (const table of ['trust_tables', 'claim_rebuilds', 'claim_checks']) {
      this.addSql(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
      this.addSql(`CREATE POLICY tenant ON ${table} TO rapport_app USING (workspace_id = current_workspace())`);
      this.addSql(`CREATE POLICY directory ON ${table} TO rapport_system USING (true)`);
    }
    this.addSql('GRANT SELECT, INSERT ON trust_tables TO rapport_app');
    this.addSql('GRANT SELECT ON trust_tables TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON claim_rebuilds TO rapport_app');
    this.addSql('GRANT SELECT, UPDATE ON claim_rebuilds TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON claim_checks TO rapport_app');
  }
}
