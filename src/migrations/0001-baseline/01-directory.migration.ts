import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './row-level-security.js';

/**
 * Workspaces and their API keys, the outbox, and the responses that are stored for Idempotency-Key. API keys are read
 * before the tenant is known, so `rapport_system` sees all rows, while `rapport_app` sees those of its workspace.
 */
export class DirectoryMigration extends Migration {
  override name = '0001-baseline-01-directory';

  override up(): void {
    this.addSql(`
      CREATE FUNCTION current_workspace() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
      RETURN nullif(current_setting('app.workspace_id', true), '')::uuid`);

    this.addSql(`
      CREATE TABLE workspaces (
        id uuid PRIMARY KEY,
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
        plan text NOT NULL CHECK (plan IN ('starter', 'growth', 'scale')),
        created_at timestamptz NOT NULL DEFAULT now()
      )`);

    this.addSql(`
      CREATE TABLE api_keys (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        id uuid NOT NULL,
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
        hash bytea NOT NULL,
        prefix text NOT NULL,
        last_four text NOT NULL,
        scopes text[] NOT NULL,
        origin text NOT NULL,
        created_by_kind text NOT NULL CHECK (created_by_kind IN ('key', 'person', 'oauth', 'operator')),
        created_by_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz,
        last_used_client text,
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql('CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash)');
    this.addSql('CREATE INDEX api_keys_creator ON api_keys (workspace_id, created_by_id)');
    this.addSql('CREATE INDEX api_keys_unrevoked ON api_keys (workspace_id, id) WHERE revoked_at IS NULL');

    // The outbox is nearly empty most of the time and every row is deleted soon, so it is vacuumed early.
    this.addSql(`
      CREATE TABLE outbox (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        events json NOT NULL,
        event_count integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        published_at timestamptz,
        requeued boolean NOT NULL DEFAULT false,
        failed_at timestamptz,
        last_error text,
        PRIMARY KEY (workspace_id, id)
      ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`);
    this.addSql('CREATE INDEX outbox_unpublished ON outbox (id) WHERE published_at IS NULL');
    this.addSql(`
      CREATE INDEX outbox_unconfirmed ON outbox (published_at) WHERE published_at IS NOT NULL AND failed_at IS NULL`);
    this.addSql('CREATE INDEX outbox_failed ON outbox (failed_at) WHERE failed_at IS NOT NULL');

    this.addSql(`
      CREATE TABLE idempotency_keys (
        workspace_id uuid NOT NULL,
        key text NOT NULL,
        request_hash bytea NOT NULL,
        status smallint NOT NULL,
        body json NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, key)
      )`);
    this.addSql('CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)');

    for (const table of ['api_keys', 'outbox', 'idempotency_keys']) {
      for (const sql of isolateTenants(table)) this.addSql(sql);
      this.addSql(showToSystem(table));
    }
    this.addSql('ALTER TABLE workspaces ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY');
    this.addSql('CREATE POLICY tenant ON workspaces TO rapport_app USING (id = current_workspace())');
    this.addSql(showToSystem('workspaces'));

    this.addSql('GRANT USAGE ON SCHEMA public TO rapport_app, rapport_system');
    this.addSql('GRANT SELECT ON workspaces TO rapport_app');
    // A workspace renames itself; its plan is the operator's.
    this.addSql('GRANT UPDATE (name) ON workspaces TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON api_keys TO rapport_app');
    this.addSql('GRANT INSERT ON outbox TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, DELETE ON idempotency_keys TO rapport_app');
    // A plugin route claims its key first and stores the response later; the hash of the request never changes.
    this.addSql('GRANT UPDATE (status, body, created_at) ON idempotency_keys TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON workspaces, api_keys TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON outbox TO rapport_system');
    this.addSql('GRANT SELECT, DELETE ON idempotency_keys TO rapport_system');
  }
}
