import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './0001-baseline/row-level-security.js';

/** Refresh tokens of programs: one row for each sign-in, with the token that is valid now and the one before. */
export class RefreshTokensMigration extends Migration {
  override name = '0006-refresh-tokens';

  override up(): void {
    this.addSql(`
      CREATE TABLE oauth_refresh_tokens (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        id uuid NOT NULL,
        secret_hash bytea NOT NULL,
        previous_hash bytea,
        client_id text NOT NULL,
        name text NOT NULL,
        scopes text[] NOT NULL,
        approved_by jsonb NOT NULL,
        key_id uuid NOT NULL,
        issued_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX oauth_refresh_tokens_age ON oauth_refresh_tokens (expires_at)');
    for (const sql of isolateTenants('oauth_refresh_tokens')) this.addSql(sql);
    this.addSql(showToSystem('oauth_refresh_tokens'));
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON oauth_refresh_tokens TO rapport_app');
    this.addSql('GRANT SELECT (workspace_id, id, expires_at), DELETE ON oauth_refresh_tokens TO rapport_system');
  }
}
