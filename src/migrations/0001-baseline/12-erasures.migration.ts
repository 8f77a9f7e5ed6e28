import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './row-level-security.js';

/** Privileges of `rapport_eraser` by table: the fewest with which a person can be erased. */
const ERASER_GRANTS: Readonly<Record<string, string>> = {
  entities: 'SELECT, UPDATE',
  identifiers: 'SELECT, DELETE',
  name_words: 'SELECT, DELETE',
  entity_links: 'SELECT, DELETE',
  merge_proposals: 'SELECT, DELETE',
  observations: 'SELECT, UPDATE, DELETE',
  claims: 'SELECT, INSERT, UPDATE, DELETE',
  notes: 'SELECT, UPDATE, DELETE',
  note_chunks: 'SELECT, INSERT, DELETE',
  note_terms: 'SELECT, INSERT, UPDATE, DELETE',
  note_numbers: 'SELECT, INSERT, DELETE',
  note_words: 'SELECT, INSERT, DELETE',
  note_trigrams: 'SELECT, INSERT, UPDATE, DELETE',
  note_statistics: 'SELECT, INSERT, UPDATE',
  leads: 'SELECT, UPDATE',
  lead_lists: 'SELECT, UPDATE',
  workspace_facts: 'SELECT, UPDATE',
  outbox: 'SELECT, INSERT, UPDATE, DELETE',
  idempotency_keys: 'SELECT, INSERT, UPDATE, DELETE',
  inbound_events: 'SELECT, UPDATE',
  plugin_jobs: 'SELECT, UPDATE, DELETE',
  plugin_store: 'SELECT, UPDATE, DELETE',
  audit_events: 'INSERT',
  erasures: 'SELECT, INSERT, UPDATE',
  erased_identifiers: 'SELECT, INSERT, DELETE',
  erasure_keys: 'SELECT, INSERT, UPDATE',
};

/**
 * Erasures of people, the keyed hashes of their identifiers, which prevent that they are imported again, and the sealed
 * key of these hashes. No row holds personal data in plain text: `terms` is what the job looks for, sealed, and null
 * once it is done.
 *
 * Only `rapport_eraser` may change or delete rows of the log. It is bound to one workspace as `rapport_app` is.
 */
export class ErasuresMigration extends Migration {
  override name = '0001-baseline-12-erasures';

  override up(): void {
    this.addSql(`
      CREATE TABLE erasures (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        entity_id uuid NOT NULL,
        entity_ids uuid[] NOT NULL,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'running', 'done')),
        actor_kind text NOT NULL,
        actor_id text NOT NULL,
        terms text,
        phase int NOT NULL DEFAULT 0,
        cursor text,
        counts jsonb NOT NULL DEFAULT '{}',
        failures int NOT NULL DEFAULT 0,
        run_at timestamptz NOT NULL DEFAULT now(),
        requested_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        PRIMARY KEY (workspace_id, id),
        FOREIGN KEY (workspace_id, entity_id) REFERENCES entities (workspace_id, id)
      )`);
    this.addSql(`CREATE INDEX erasures_due ON erasures (run_at) WHERE state <> 'done'`);

    this.addSql(`
      CREATE TABLE erased_identifiers (
        workspace_id uuid NOT NULL,
        hash bytea NOT NULL,
        erasure_id uuid NOT NULL,
        PRIMARY KEY (workspace_id, hash),
        FOREIGN KEY (workspace_id, erasure_id) REFERENCES erasures (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX erased_identifiers_erasure ON erased_identifiers (workspace_id, erasure_id)');

    this.addSql('CREATE TABLE erasure_keys (workspace_id uuid NOT NULL PRIMARY KEY, sealed text NOT NULL)');

    for (const table of ['erasures', 'erased_identifiers', 'erasure_keys']) {
      for (const sql of isolateTenants(table)) this.addSql(sql);
    }
    for (const table of ['erasures', 'erasure_keys']) this.addSql(showToSystem(table));
    this.addSql('GRANT SELECT ON erasures, erased_identifiers TO rapport_app');
    this.addSql('GRANT SELECT (workspace_id, id, state, run_at) ON erasures TO rapport_system');
    this.addSql('GRANT SELECT ON erasure_keys TO rapport_system');
    this.addSql('GRANT USAGE ON SCHEMA public TO rapport_eraser');
    for (const [table, privileges] of Object.entries(ERASER_GRANTS)) {
      this.addSql(`GRANT ${privileges} ON ${table} TO rapport_eraser`);
    }
  }
}
