import { Migration } from '@mikro-orm/migrations';

/** When the jobs of plugins that run by themselves did so last, and what the house must see to give them. */
export class PluginScheduleMigration extends Migration {
  override name = '2026-11-20-plugin-schedule';

  override up(): void {
    this.addSql(`
      CREATE TABLE plugin_ticks (
        plugin text NOT NULL,
        job text NOT NULL,
        tick bigint NOT NULL,
        PRIMARY KEY (plugin, job)
      )`);
    this.addSql('GRANT SELECT, INSERT, UPDATE ON plugin_ticks TO rapport_system');
    this.addSql('GRANT INSERT ON plugin_jobs TO rapport_system');
    this.addSql('GRANT SELECT (plugin, state) ON connections TO rapport_system');
  }
}
