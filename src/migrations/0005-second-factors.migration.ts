import { Migration } from '@mikro-orm/migrations';

/** Second factors of people: the secret of an authenticator app with recovery codes, both encrypted. */
export class SecondFactorsMigration extends Migration {
  override name = '0005-second-factors';

  override up(): void {
    this.addSql('ALTER TABLE rapport_auth.users ADD COLUMN two_factor_enabled boolean NOT NULL DEFAULT false');
    this.addSql(`
      CREATE TABLE rapport_auth.second_factors (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL UNIQUE REFERENCES rapport_auth.users (id) ON DELETE CASCADE,
        secret text NOT NULL,
        recovery_codes text NOT NULL,
        verified boolean NOT NULL,
        failed_attempts integer NOT NULL DEFAULT 0,
        lock_ends_at timestamptz
      )`);
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON rapport_auth.second_factors TO rapport_auth');
  }
}
