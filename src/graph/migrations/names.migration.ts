import { Migration } from '@mikro-orm/migrations';

/**
 * A name stands in one index: that of the people or that of the companies, both of whoever was not merged. Names of
 * people stood in one for lists and in another for look-ups by name, and each event about somebody wrote to both.
 */
export class NamesMigration extends Migration {
  override name = '2026-11-23-names';

  override up(): void {
    this.addSql('DROP INDEX entities_namesakes');
    this.addSql(`
      CREATE INDEX entities_company_name ON entities (workspace_id, name_key, id)
      WHERE type = 'company' AND canonical_id IS NULL AND name_key IS NOT NULL`);
  }
}
