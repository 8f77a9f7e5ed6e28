import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './row-level-security.js';

/**
 * The authorization server: registered clients, device authorization requests that wait for a decision, and grants
 * that wait to be exchanged for a key. Clients and requests exist before a workspace is known, so they belong to the
 * hub; a grant belongs to its workspace.
 */
export class OAuthMigration extends Migration {
  override name = '0001-baseline-04-oauth';

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
    this.addSql('CREATE INDEX oauth_clients_unused ON oauth_clients (created_at DESC, id) WHERE used_at IS NULL');

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
        decision text CHECK (decision IN ('approved', 'denied')),
        decided_workspace_id uuid,
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
        approved_by jsonb NOT NULL,
        key_id uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX oauth_grants_age ON oauth_grants (expires_at)');

    for (const sql of isolateTenants('oauth_grants')) this.addSql(sql);
    this.addSql(showToSystem('oauth_grants'));

    this.addSql('GRANT SELECT, INSERT, UPDATE ON oauth_grants TO rapport_app');
    this.addSql('GRANT SELECT (workspace_id, id, expires_at), DELETE ON oauth_grants TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON oauth_clients, oauth_device_requests TO rapport_system');
  }
}
