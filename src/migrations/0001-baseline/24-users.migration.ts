import { Migration } from '@mikro-orm/migrations';
import { isolateTenants } from './row-level-security.js';

/**
 * People who sign in, and the workspaces that they belong to. Users, passwords and sessions lie in a schema of their own,
 * which only `rapport_auth` reads: neither a request about the graph nor a plugin can reach them. Memberships and
 * invitations belong to a workspace.
 */
export class UsersMigration extends Migration {
  override name = '0001-baseline-24-users';

  override up(): void {
    this.createUsers();
    this.createMemberships();
    this.addSql('GRANT SELECT (id, name, plan) ON workspaces TO rapport_auth');
    this.addSql('CREATE POLICY sign_in ON workspaces FOR SELECT TO rapport_auth USING (true)');
    // The first owner names the workspace.
    this.addSql('GRANT UPDATE (name) ON workspaces TO rapport_auth');
    this.addSql('CREATE POLICY setup ON workspaces FOR UPDATE TO rapport_auth USING (id = current_workspace())');
    this.addSql('GRANT INSERT ON audit_events TO rapport_auth');
    this.addSql('CREATE POLICY sign_in ON audit_events FOR INSERT TO rapport_auth WITH CHECK (true)');
  }

  private createUsers(): void {
    this.addSql('CREATE SCHEMA rapport_auth');
    this.addSql('GRANT USAGE ON SCHEMA rapport_auth TO rapport_auth');
    this.addSql(`
      CREATE TABLE rapport_auth.users (
        id uuid PRIMARY KEY,
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
        email text NOT NULL UNIQUE CHECK (email = lower(email)),
        email_verified boolean NOT NULL DEFAULT false,
        image text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      )`);
    this.addSql(`
      CREATE TABLE rapport_auth.credentials (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES rapport_auth.users (id) ON DELETE CASCADE,
        account_id text NOT NULL,
        provider_id text NOT NULL,
        password text,
        access_token text,
        refresh_token text,
        id_token text,
        access_token_expires_at timestamptz,
        refresh_token_expires_at timestamptz,
        scope text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        UNIQUE (provider_id, account_id)
      )`);
    this.addSql('CREATE INDEX credentials_user ON rapport_auth.credentials (user_id)');
    // The token is stored as its SHA-256 only: who reads the table cannot sign in.
    this.addSql(`
      CREATE TABLE rapport_auth.sessions (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES rapport_auth.users (id) ON DELETE CASCADE,
        token text NOT NULL UNIQUE,
        ip_address text,
        user_agent text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    this.addSql('CREATE INDEX sessions_user ON rapport_auth.sessions (user_id)');
    this.addSql('CREATE INDEX sessions_age ON rapport_auth.sessions (expires_at)');
    this.addSql(`
      CREATE TABLE rapport_auth.verifications (
        id uuid PRIMARY KEY,
        identifier text NOT NULL,
        value text NOT NULL,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      )`);
    this.addSql('CREATE INDEX verifications_identifier ON rapport_auth.verifications (identifier)');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA rapport_auth TO rapport_auth');
  }

  private createMemberships(): void {
    this.addSql(`
      CREATE TABLE memberships (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        user_id uuid NOT NULL,
        role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
        joined_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, user_id)
      )`);
    this.addSql('CREATE INDEX memberships_user ON memberships (user_id)');
    this.addSql(`
      CREATE TABLE invitations (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        id uuid NOT NULL,
        email text NOT NULL,
        role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
        token_hash bytea NOT NULL UNIQUE,
        invited_by jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, id)
      )`);
    for (const table of ['memberships', 'invitations']) {
      for (const sql of isolateTenants(table)) this.addSql(sql);
      this.addSql(`CREATE POLICY members ON ${table} TO rapport_auth USING (workspace_id = current_workspace())`);
      // A sign-in finds the workspaces of a user, and an invitation is found by its token, before a workspace is known.
      this.addSql(`CREATE POLICY sign_in ON ${table} FOR SELECT TO rapport_auth USING (current_workspace() IS NULL)`);
      this.addSql(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO rapport_auth`);
      this.addSql(`GRANT SELECT ON ${table} TO rapport_app`);
    }
    this.addSql(`
      CREATE POLICY expired ON invitations FOR DELETE TO rapport_auth
      USING (current_workspace() IS NULL AND expires_at <= now())`);
  }
}
