import { Migration } from '@mikro-orm/migrations';

/** Values of plugins' stores can be listed by the beginning of their keys, and may expire. */
export class PluginStoreMigration extends Migration {
  override name = '2026-11-20-plugin-store';

  override up(): void {
    this.addSql(`
      ALTER TABLE plugin_store ALTER COLUMN key TYPE text COLLATE "C", ADD COLUMN expires_at timestamptz`);
    this.addSql('CREATE INDEX plugin_store_expired ON plugin_store (expires_at) WHERE expires_at IS NOT NULL');
    this.addSql('CREATE POLICY directory ON plugin_store TO rapport_system USING (true)');
    this.addSql(`
      GRANT SELECT (workspace_id, plugin, connection_id, key, expires_at), DELETE ON plugin_store TO rapport_system`);
  }
}
