import { Migration } from '@mikro-orm/migrations';

/** Tables whose rows are changes that can be read in the order of commits. */
const TABLES = ['observations', 'entity_links', 'erasures'] as const;

/**
 * Positions of changes in the order of commits. IDs and times are given before a transaction commits, so a reader that
 * remembered the last one would miss rows of transactions that took longer.
 *
 * The conditions of the indexes are always true. They keep the planner from using them for queries that do not name
 * the position. The id is not in them: entries of one transaction are then stored once.
 */
export class ChangesMigration extends Migration {
  override name = '0001-baseline-18-changes';

  override up(): void {
    // The base is set after the migrations, and whenever the database has moved to another server.
    this.addSql(`CREATE FUNCTION commit_base() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT 0::bigint'`);
    this.addSql(`
      CREATE FUNCTION current_commit_position() RETURNS bigint LANGUAGE sql VOLATILE AS
      'SELECT public.commit_base() + pg_catalog.pg_current_xact_id()::text::bigint'`);
    for (const table of TABLES) {
      this.addSql(`
        ALTER TABLE ${table} ADD COLUMN commit_position bigint NOT NULL DEFAULT current_commit_position()`);
      this.addSql(`
        CREATE INDEX ${table}_changes ON ${table} (workspace_id, commit_position) WHERE commit_position > 0`);
    }
    // A link that is retracted changes again.
    this.addSql('GRANT UPDATE (commit_position) ON entity_links TO rapport_app');
  }
}
