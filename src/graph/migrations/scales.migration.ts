import { Migration } from '@mikro-orm/migrations';

/** Which tiers and bands a workspace has is asked wherever a stored score is shown, and answered from memory. */
export class ScalesMigration extends Migration {
  override name = '2026-11-22-scales';

  override up(): void {
    this.addSql(`ALTER POLICY directory ON workspace_facts USING (section IN ('profile', 'icp'))`);
  }
}
