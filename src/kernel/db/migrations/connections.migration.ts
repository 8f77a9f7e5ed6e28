import { Migration } from '@mikro-orm/migrations';

/**
 * How a workspace is connected to providers: the connections with their sealed credentials, what plugins remember for
 * them, and the webhooks that came in. The scheduler of the house reads of a connection only that it is due.
 */
export class ConnectionsMigration extends Migration {
  override name = '2026-11-20-connections';

  override up(): void {
    this.addSql(`
      CREATE TABLE connections (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        plugin text NOT NULL,
        name text NOT NULL,
        settings jsonb NOT NULL,
        credentials jsonb NOT NULL,
        hook jsonb NOT NULL,
        hook_hash bytea NOT NULL,
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
    this.addSql('CREATE UNIQUE INDEX connections_hook ON connections (workspace_id, hook_hash)');
    this.addSql('CREATE INDEX connections_due ON connections (due_at)');

    this.addSql(`
      CREATE TABLE plugin_store (
        workspace_id uuid NOT NULL,
        plugin text NOT NULL,
        connection_id uuid NOT NULL,
        key text NOT NULL,
        value jsonb NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, plugin, connection_id, key)
      )`);

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
      CREATE UNIQUE INDEX inbound_events_once ON inbound_events (workspace_id, connection_id, name, event_id)`);
    this.addSql('CREATE INDEX inbound_events_age ON inbound_events (received_at)');

    for (const table of ['connections', 'plugin_store', 'inbound_events']) {
      this.addSql(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
      this.addSql(`CREATE POLICY tenant ON ${table} TO rapport_app USING (workspace_id = current_workspace())`);
    }
    for (const table of ['connections', 'inbound_events'])
      this.addSql(`CREATE POLICY directory ON ${table} TO rapport_system USING (true)`);

    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON connections, plugin_store TO rapport_app');
    this.addSql('GRANT SELECT, INSERT ON inbound_events TO rapport_app');
    this.addSql('GRANT SELECT (workspace_id, id, due_at) ON connections TO rapport_system');
    this.addSql('GRANT SELECT (workspace_id, id, received_at), DELETE ON inbound_events TO rapport_system');
  }
}
