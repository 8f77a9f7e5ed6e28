import { Migration } from '@mikro-orm/migrations';

/** Names the cells of the rows that a run reports, so that a corrected report can be imported. */
export class ReportColumnsMigration extends Migration {
  override name = '0009-report-columns';

  override up(): void {
    this.addSql('ALTER TABLE plugin_runs ADD COLUMN report_columns jsonb');
  }
}
