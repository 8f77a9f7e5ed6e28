import { Migration } from '@mikro-orm/migrations';

/**
 * How far the requests to a provider are booked ahead, for each of its limits. It belongs to the hub: a limit of the
 * operator's client is shared by workspaces. Losing it after a crash costs a few requests, so it is not logged.
 */
export class ProviderLimitsMigration extends Migration {
  override name = '0001-baseline-22-provider-limits';

  override up(): void {
    this.addSql(`
      CREATE UNLOGGED TABLE provider_limits (
        key text PRIMARY KEY,
        step interval NOT NULL,
        booked_until timestamptz NOT NULL
      ) WITH (fillfactor = 50)`);
    this.addSql('CREATE INDEX provider_limits_age ON provider_limits (booked_until)');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON provider_limits TO rapport_system');
  }
}
