import { Migration } from '@mikro-orm/migrations';

/**
 * How programs get keys: clients that have registered themselves, sign-ins of devices that wait for somebody's answer,
 * and what was granted and is to be fetched. The first two are known before any workspace is, so they belong to the
 * house; a grant is its workspace's from the start.
 */
export class OAuthMigration extends Migration {
  override name = '2026-11-20-oauth';

  override up(): void {
    this.addSql(`
      CREATE TABLE oauth_clients (
        id text PRIMARY KEY,
        name text NOT NULL,
        redirect_uris text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        used_at timestamptz
      )`);
    this.addSql('CREATE INDEX oauth_clients_age ON oauth_clients (coalesce(used_at, created_at))');

    this.addSql(`
      CREATE TABLE oauth_device_requests (
        id uuid PRIMARY KEY,
        device_hash bytea NOT NULL UNIQUE,
        user_code text NOT NULL UNIQUE,
        client_id text NOT NULL,
        client_name text NOT NULL,
        client_host text,
        scopes text[] NOT NULL,
        address text NOT NULL,
        seconds_between_polls int NOT NULL,
        polled_at timestamptz,
        answer text CHECK (answer IN ('approved', 'denied')),
        answered_for uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      )`);
    this.addSql('CREATE INDEX oauth_device_requests_age ON oauth_device_requests (expires_at)');

    this.addSql(`
      CREATE TABLE oauth_grants (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        id uuid NOT NULL,
        secret_hash bytea NOT NULL,
        client_id text NOT NULL,
        name text NOT NULL,
        origin text NOT NULL CHECK (origin IN ('oauth', 'cli')),
        scopes text[] NOT NULL,
        redirect_uri text,
        code_challenge text,
        approved_by uuid NOT NULL,
        key_id uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX oauth_grants_age ON oauth_grants (expires_at)');

    this.addSql('ALTER TABLE oauth_grants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY');
    this.addSql('CREATE POLICY tenant ON oauth_grants TO rapport_app USING (workspace_id = current_workspace())');
    this.addSql('CREATE POLICY directory ON oauth_grants TO rapport_system USING (true)');

    this.addSql('GRANT SELECT, INSERT, UPDATE ON oauth_grants TO rapport_app');
    this.addSql('GRANT SELECT (workspace_id, id, expires_at), DELETE ON oauth_grants TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON oauth_clients, oauth_device_requests TO rapport_system');
  }
}
