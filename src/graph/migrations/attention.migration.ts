import { Migration } from '@mikro-orm/migrations';

/**
 * What attention finds its candidates by, so that its cost follows a page and not the workspace. Of claims only columns
 * are indexed that hardly ever change: an index on when a claim was last supported would make every repeated statement
 * write to it.
 */
export class AttentionMigration extends Migration {
  override name = '2026-11-20-attention';

  override up(): void {
    this.addSql(`
      CREATE INDEX entities_company_activity ON entities (workspace_id, last_activity_at, id)
      WHERE type = 'company' AND canonical_id IS NULL`);
    this.addSql(`
      CREATE INDEX claims_contested ON claims (workspace_id, property, entity_id) WHERE class = 'contested'`);
    this.addSql(`
      CREATE INDEX claims_commitments ON claims (workspace_id, entity_id, property)
      WHERE starts_with(property, 'action_item.')`);
    this.addSql(`CREATE INDEX leads_work_now ON leads (workspace_id, priority, id) WHERE play = 'work now'`);
    this.addSql('CREATE INDEX leads_scored ON leads (workspace_id, scored_at, id) WHERE scored_at IS NOT NULL');
    this.addSql('CREATE INDEX merge_proposals_age ON merge_proposals (workspace_id, created_at, entity_id, key)');
  }
}
