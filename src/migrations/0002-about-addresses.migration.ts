import { Migration } from '@mikro-orm/migrations';

/**
 * The e-mail address that an observation is about, where it states whether an address works: a bounce of an old address
 * says nothing about the new one. It is null for every other observation, so hardly any row is longer.
 */
export class AboutAddressesMigration extends Migration {
  override name = '0002-about-addresses';

  override up(): void {
    this.addSql('ALTER TABLE observation_log ADD COLUMN about_address text');
    this.addSql(`
      CREATE OR REPLACE VIEW observations WITH (security_invoker = true) AS
      SELECT workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at, external_id,
        digest, raw, happens_at, commit_position, about_address
      FROM observation_log WHERE retracted_at IS NULL`);
  }
}
