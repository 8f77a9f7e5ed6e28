import { Migration } from '@mikro-orm/migrations';
import { isolateTenants } from './row-level-security.js';

/**
 * Lead lists and the leads in them. A lead is a person's entry in one list: its outreach status and its scores. Facts
 * about the person are in the graph; `original` holds the row that the lead was made from.
 *
 * A person may be in a list twice if the caller asked for it, so there is no unique constraint on the pair; writers to
 * one list wait for each other instead.
 */
export class LeadsMigration extends Migration {
  override name = '0001-baseline-07-leads';

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
    this.addSql(`
      CREATE UNIQUE INDEX lead_lists_external_id
      ON lead_lists (workspace_id, name, external_id) WHERE external_id IS NOT NULL`);
    // The condition is always true. It keeps the planner from using the index for queries that do not name it.
    this.addSql('CREATE INDEX lead_lists_name ON lead_lists (workspace_id, name) WHERE name IS NOT NULL');

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
    for (const column of ['created_at', 'priority', 'sent_at']) {
      this.addSql(`CREATE INDEX leads_${column} ON leads (workspace_id, ${column}, id)`);
      this.addSql(`CREATE INDEX leads_list_${column} ON leads (workspace_id, list_id, ${column}, id)`);
    }
    this.addSql('CREATE INDEX leads_status ON leads (workspace_id, status, created_at, id)');
    this.addSql(`CREATE INDEX leads_work_now ON leads (workspace_id, priority, id) WHERE play = 'work now'`);
    this.addSql('CREATE INDEX leads_scored ON leads (workspace_id, scored_at, id) WHERE scored_at IS NOT NULL');
    // Leads are looked up by their entity, also by plans that were made while the table was empty. The planner then
    // takes the youngest index that begins with the workspace: this one has to stay the last, which a test checks.
    this.addSql('CREATE INDEX leads_entity ON leads (workspace_id, entity_id)');

    for (const table of ['lead_lists', 'leads']) {
      for (const sql of isolateTenants(table)) this.addSql(sql);
    }
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON lead_lists TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON leads TO rapport_app');
  }
}
