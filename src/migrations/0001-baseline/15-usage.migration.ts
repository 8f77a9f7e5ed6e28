import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './row-level-security.js';

/**
 * What workspaces use in a period: requests in five seconds (where no Redis counts them), observations in a day, and
 * stored bytes. All processes add to the same row, seldom and many at once.
 */
export class UsageMigration extends Migration {
  override name = '0001-baseline-15-usage';

  override up(): void {
    this.addSql(`
      CREATE TABLE usage_counters (
        workspace_id uuid NOT NULL,
        name text NOT NULL,
        period bigint NOT NULL,
        amount bigint NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, name, period)
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`);
    this.addSql('CREATE INDEX usage_counters_age ON usage_counters (expires_at)');
    for (const sql of isolateTenants('usage_counters')) this.addSql(sql);
    this.addSql(showToSystem('usage_counters'));
    this.addSql('GRANT SELECT, INSERT ON usage_counters TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON usage_counters TO rapport_system');
  }
}
