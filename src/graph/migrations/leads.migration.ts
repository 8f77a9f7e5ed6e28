import { Migration } from '@mikro-orm/migrations';

/**
 * Lead lists and the leads in them. A lead is a person's place in one list: what was done there, and how the person
 * scored. Who the person is stands in the graph; what the list was built from stands in `original`.
 *
 * A person may stand in a list twice when the caller asked for that, so there is no unique constraint on the pair;
 * writers to one list wait for each other instead.
 */
export class LeadsMigration extends Migration {
  override name = '2026-11-20-leads';

  override up(): void {
    this.addSql(`
      CREATE TABLE lead_lists (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        name text NOT NULL,
        source text NOT NULL,
        columns jsonb NOT NULL DEFAULT '[]',
        external_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX lead_lists_name ON lead_lists (workspace_id, name)');
    this.addSql(`
      CREATE UNIQUE INDEX lead_lists_external_id
      ON lead_lists (workspace_id, name, external_id) WHERE external_id IS NOT NULL`);
    this.addSql('CREATE INDEX lead_lists_created ON lead_lists (workspace_id, created_at, id)');

    this.addSql(`
      CREATE TABLE leads (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        list_id uuid NOT NULL,
        entity_id uuid NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        stage text,
        step text,
        reply_outcome text,
        replied_at timestamptz,
        sent_at timestamptz,
        send_variant text,
        is_repeat_contact boolean NOT NULL DEFAULT false,
        features jsonb NOT NULL DEFAULT '{}',
        fields jsonb NOT NULL DEFAULT '{}',
        original jsonb NOT NULL DEFAULT '{}',
        priority integer CHECK (priority BETWEEN 0 AND 100),
        priority_confidence real,
        play text,
        layers jsonb,
        icp_score integer CHECK (icp_score BETWEEN 0 AND 100),
        intent_score integer CHECK (intent_score BETWEEN 0 AND 100),
        scored_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, id),
        FOREIGN KEY (workspace_id, list_id) REFERENCES lead_lists (workspace_id, id) ON DELETE CASCADE,
        FOREIGN KEY (workspace_id, entity_id) REFERENCES entities (workspace_id, id)
      ) WITH (fillfactor = 80)`);
    this.addSql('CREATE INDEX leads_entity ON leads (workspace_id, entity_id)');
    for (const sorted of ['created_at', 'priority', 'sent_at']) {
      this.addSql(`CREATE INDEX leads_${sorted} ON leads (workspace_id, ${sorted}, id)`);
      this.addSql(`CREATE INDEX leads_list_${sorted} ON leads (workspace_id, list_id, ${sorted}, id)`);
    }
    this.addSql('CREATE INDEX leads_status ON leads (workspace_id, status, created_at, id)');

    for (const table of ['lead_lists', 'leads']) {
      this.addSql(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
      this.addSql(`CREATE POLICY tenant ON ${table} TO rapport_app USING (workspace_id = current_workspace())`);
    }
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON lead_lists TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON leads TO rapport_app');
  }
}
