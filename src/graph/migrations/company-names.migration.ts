import { Migration } from '@mikro-orm/migrations';

/**
 * Rebuilds the index of company names with a condition that no other index of entities has. While it implied
 * `type = 'company' AND canonical_id IS NULL`, a look-up by name could also be planned on `entities_company_activity`.
 * Where the statistics knew a single company and no company name, that cost as much, and the planner chose to read
 * every company of the workspace.
 *
 * Queries of the previous version keep using the index: `type = 'company'` implies `type <> 'person'`.
 */
export class CompanyNamesMigration extends Migration {
  override name = '2026-11-24-company-names';

  override up(): void {
    this.addSql('DROP INDEX entities_company_name');
    this.addSql(`
      CREATE INDEX entities_company_name ON entities (workspace_id, name_key, id)
      WHERE type <> 'person' AND canonical_id IS NULL AND name_key IS NOT NULL`);
  }
}
