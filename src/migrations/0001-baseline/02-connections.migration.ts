import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './row-level-security.js';

/**
 * Connections to providers with their sealed credentials, the key-value store of plugins, and received webhooks.
 * `rapport_system` reads only the columns that scheduling and retention need, never a credential or a body.
 */
export class ConnectionsMigration extends Migration {
  override name = '0001-baseline-02-connections';

  override up(): void {
    this.addSql(`
      CREATE TABLE connections (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        plugin text NOT NULL,
        name text NOT NULL,
        settings jsonb NOT NULL,
        credentials jsonb NOT NULL,
        webhook_secrets jsonb NOT NULL,
        webhook_token_hash bytea NOT NULL,
        state text NOT NULL CHECK (state IN ('testing', 'connected', 'degraded', 'disconnected')),
        webhook_active boolean,
        failures int NOT NULL DEFAULT 0,
        last_error text,
        last_event_at timestamptz,
        last_checked_at timestamptz,
        due_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql(`
      CREATE UNIQUE INDEX connections_plugin ON connections (workspace_id, plugin) WHERE state <> 'disconnected'`);
    this.addSql('CREATE UNIQUE INDEX connections_webhook_token_hash ON connections (workspace_id, webhook_token_hash)');
    this.addSql('CREATE INDEX connections_due ON connections (due_at)');

    // Keys are compared byte by byte, so that the primary key serves listing by prefix.
    this.addSql(`
      CREATE TABLE plugin_store (
        workspace_id uuid NOT NULL,
        plugin text NOT NULL,
        connection_id uuid NOT NULL,
        key text COLLATE "C" NOT NULL,
        value jsonb NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        PRIMARY KEY (workspace_id, plugin, connection_id, key)
      )`);
    this.addSql('CREATE INDEX plugin_store_expired ON plugin_store (expires_at) WHERE expires_at IS NOT NULL');

    this.addSql(`
      CREATE TABLE inbound_events (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        connection_id uuid NOT NULL,
        plugin text NOT NULL,
        name text NOT NULL,
        event_id text NOT NULL,
        headers jsonb NOT NULL,
        body bytea NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql(`
      CREATE UNIQUE INDEX inbound_events_event_id ON inbound_events (workspace_id, connection_id, name, event_id)`);
    this.addSql('CREATE INDEX inbound_events_age ON inbound_events (received_at)');
    // A signature without a time stays valid as long as its secret, which ends with the connection.
    this.addSql(`
      CREATE TABLE inbound_event_ids (
        workspace_id uuid NOT NULL,
        connection_id uuid NOT NULL,
        name text NOT NULL,
        event_hash bytea NOT NULL,
        PRIMARY KEY (workspace_id, connection_id, name, event_hash),
        FOREIGN KEY (workspace_id, connection_id) REFERENCES connections (workspace_id, id) ON DELETE CASCADE
      )`);

    for (const table of ['connections', 'plugin_store', 'inbound_events']) {
      for (const sql of isolateTenants(table)) this.addSql(sql);
      this.addSql(showToSystem(table));
    }
    for (const sql of isolateTenants('inbound_event_ids')) this.addSql(sql);

    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON connections, plugin_store TO rapport_app');
    this.addSql('GRANT SELECT, INSERT ON inbound_events, inbound_event_ids TO rapport_app');
    this.addSql('GRANT SELECT (workspace_id, id, plugin, state, due_at) ON connections TO rapport_system');
    this.addSql(`
      GRANT SELECT (workspace_id, plugin, connection_id, key, expires_at), DELETE ON plugin_store TO rapport_system`);
    this.addSql('GRANT SELECT (workspace_id, id, received_at), DELETE ON inbound_events TO rapport_system');
  }
}
