import { Migration } from '@mikro-orm/migrations';

/**
 * Lets a workspace have several connections to one provider. `slot` is empty for a plugin that allows only one, and the
 * name in lower case for others, so that the index ensures both rules.
 */
export class SeveralConnectionsMigration extends Migration {
  override name = '0001-baseline-21-several-connections';

  override up(): void {
    this.addSql(`ALTER TABLE connections ADD COLUMN slot text NOT NULL DEFAULT ''`);
    this.addSql('DROP INDEX connections_plugin');
    this.addSql(`
      CREATE UNIQUE INDEX connections_plugin ON connections (workspace_id, plugin, slot) WHERE state <> 'disconnected'`);
  }
}
