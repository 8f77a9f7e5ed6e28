import { Migration } from '@mikro-orm/migrations';

/** Passkeys of people: public keys, by which they sign in without a password. */
export class PasskeysMigration extends Migration {
  override name = '0007-passkeys';

  override up(): void {
    this.addSql(`
      CREATE TABLE rapport_auth.passkeys (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES rapport_auth.users (id) ON DELETE CASCADE,
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
        credential_id text NOT NULL UNIQUE,
        public_key bytea NOT NULL,
        sign_count bigint NOT NULL,
        transports text[] NOT NULL,
        is_synced boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz
      )`);
    this.addSql('CREATE INDEX passkeys_user ON rapport_auth.passkeys (user_id)');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON rapport_auth.passkeys TO rapport_auth');
  }
}
