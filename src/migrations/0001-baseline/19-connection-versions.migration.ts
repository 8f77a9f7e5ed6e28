import { Migration } from '@mikro-orm/migrations';

/** The version of the plugin that wrote the values of a connection, and the state of one whose values do not fit. */
export class ConnectionVersionsMigration extends Migration {
  override name = '0001-baseline-19-connection-versions';

  override up(): void {
    this.addSql(`ALTER TABLE connections ADD COLUMN plugin_version text NOT NULL DEFAULT '0.0.0'`);
    this.addSql('ALTER TABLE connections DROP CONSTRAINT connections_state_check');
    this.addSql(`
      ALTER TABLE connections ADD CONSTRAINT connections_state_check
      CHECK (state IN ('testing', 'connected', 'degraded', 'reconnect', 'disconnected'))`);
  }
}
