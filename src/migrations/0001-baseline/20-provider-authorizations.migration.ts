import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './row-level-security.js';

/** Sign-in at providers by OAuth 2.0: the sealed tokens of connections, and links that wait for somebody to sign in. */
export class ProviderAuthorizationsMigration extends Migration {
  override name = '0001-baseline-20-provider-authorizations';

  override up(): void {
    this.addSql(`
      ALTER TABLE connections
        ADD COLUMN tokens jsonb,
        ADD COLUMN tokens_expire_at timestamptz,
        ADD COLUMN tokens_leased_until timestamptz`);
    this.addSql(`
      CREATE TABLE provider_authorizations (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        link_hash bytea NOT NULL,
        connection_id uuid,
        plugin text NOT NULL,
        name text,
        settings jsonb NOT NULL,
        requested_by jsonb NOT NULL,
        state_hash bytea,
        nonce_hash bytea,
        verifier text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql(
      'CREATE UNIQUE INDEX provider_authorizations_link ON provider_authorizations (workspace_id, link_hash)',
    );
    this.addSql('CREATE INDEX provider_authorizations_age ON provider_authorizations (expires_at)');
    for (const sql of isolateTenants('provider_authorizations')) this.addSql(sql);
    this.addSql(showToSystem('provider_authorizations'));
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON provider_authorizations TO rapport_app');
    this.addSql('GRANT SELECT (workspace_id, id, expires_at), DELETE ON provider_authorizations TO rapport_system');
  }
}
