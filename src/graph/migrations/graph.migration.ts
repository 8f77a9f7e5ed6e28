import { Migration } from '@mikro-orm/migrations';

/**
 * The graph: entities, the identifiers that name them, the append-only log of observations, and the claims that are
 * folded from it. `workspace_id` leads every key, so that row-level security is an index condition and a workspace
 * can be moved, partitioned or distributed. The app role may only add to the log.
 *
 * Observations and claims have no foreign key on entities: the check of every row would cost as much as writing it,
 * and it could never fail. Nobody may delete an entity, and rows are written only for one that was just found or made.
 */
export class GraphMigration extends Migration {
  override name = '2026-11-20-graph';

  override up(): void {
    this.addSql('CREATE EXTENSION IF NOT EXISTS pg_trgm');

    this.addSql(`
      CREATE TABLE entities (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        type text NOT NULL CHECK (type IN ('person', 'company')),
        name text,
        name_key text,
        company_id uuid,
        first_activity_at timestamptz,
        last_activity_at timestamptz,
        last_inbound_activity_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, id),
        FOREIGN KEY (workspace_id, company_id) REFERENCES entities (workspace_id, id)
      ) WITH (fillfactor = 80)`);
    this.addSql('CREATE INDEX entities_name ON entities (workspace_id, name_key) WHERE name_key IS NOT NULL');
    this.addSql('CREATE INDEX entities_company ON entities (workspace_id, company_id) WHERE company_id IS NOT NULL');

    this.addSql(`
      CREATE TABLE identifiers (
        workspace_id uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('email', 'domain', 'linkedin')),
        key text NOT NULL,
        value text NOT NULL,
        entity_id uuid NOT NULL,
        first_seen timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, kind, key),
        FOREIGN KEY (workspace_id, entity_id) REFERENCES entities (workspace_id, id)
      )`);
    // The condition is always true and keeps the planner from taking this index for a look-up by kind and key.
    this.addSql(`
      CREATE INDEX identifiers_entity ON identifiers (workspace_id, entity_id) WHERE entity_id IS NOT NULL`);

    this.addSql(`
      CREATE TABLE observations (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        entity_id uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('event', 'state')),
        property text NOT NULL,
        value jsonb,
        source text NOT NULL,
        method text NOT NULL,
        observed_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        external_id text,
        digest bytea NOT NULL,
        raw json,
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX observations_timeline ON observations (workspace_id, entity_id, observed_at, id)');
    this.addSql('CREATE INDEX observations_history ON observations (workspace_id, entity_id, property)');
    this.addSql(`
      CREATE UNIQUE INDEX observations_external_id
      ON observations (workspace_id, entity_id, source, external_id, property) WHERE external_id IS NOT NULL`);

    this.addSql(`
      CREATE TABLE claims (
        workspace_id uuid NOT NULL,
        entity_id uuid NOT NULL,
        property text NOT NULL,
        state json NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, entity_id, property)
      ) WITH (fillfactor = 70)`);

    for (const table of ['entities', 'identifiers', 'observations', 'claims']) {
      this.addSql(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
      this.addSql(`CREATE POLICY tenant ON ${table} TO rapport_app USING (workspace_id = current_workspace())`);
    }
    this.addSql('GRANT SELECT, INSERT ON observations, identifiers TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON entities, claims TO rapport_app');
  }
}
