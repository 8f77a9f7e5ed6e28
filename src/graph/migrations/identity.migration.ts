import { Migration } from '@mikro-orm/migrations';

/**
 * Who is the same as whom. A merge is a link that is appended and may be retracted; nothing that was logged is
 * rewritten. `entities.canonical_id` (null: itself) is a cache of the clusters that the live links give, so that
 * writes and reads find the claims of a cluster without walking links. Claims are a cache as well: those of an entity
 * that was merged away are deleted, and folded again when it comes back.
 */
export class IdentityMigration extends Migration {
  override name = '2026-11-20-identity';

  override up(): void {
    this.addSql(`
      ALTER TABLE entities ADD COLUMN canonical_id uuid,
        ADD FOREIGN KEY (workspace_id, canonical_id) REFERENCES entities (workspace_id, id)`);
    this.addSql(
      'CREATE INDEX entities_members ON entities (workspace_id, canonical_id) WHERE canonical_id IS NOT NULL',
    );
    this.addSql(`
      ALTER TABLE identifiers DROP CONSTRAINT identifiers_kind_check,
        ADD CONSTRAINT identifiers_kind_check CHECK (kind IN
          ('email', 'domain', 'linkedin', 'linkedin_member_id', 'hubspot', 'pipedrive', 'apollo', 'attio'))`);

    this.addSql(`
      CREATE TABLE entity_links (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        a uuid NOT NULL,
        b uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('same_as', 'not_same')),
        source text NOT NULL,
        reason text,
        created_at timestamptz NOT NULL,
        retracted_at timestamptz,
        PRIMARY KEY (workspace_id, id),
        FOREIGN KEY (workspace_id, a) REFERENCES entities (workspace_id, id),
        FOREIGN KEY (workspace_id, b) REFERENCES entities (workspace_id, id),
        CHECK (a < b)
      )`);
    this.addSql(`
      CREATE UNIQUE INDEX entity_links_live ON entity_links (workspace_id, a, b, kind) WHERE retracted_at IS NULL`);
    this.addSql('CREATE INDEX entity_links_a ON entity_links (workspace_id, a)');
    this.addSql('CREATE INDEX entity_links_b ON entity_links (workspace_id, b)');

    this.addSql(`
      CREATE TABLE merge_proposals (
        workspace_id uuid NOT NULL,
        entity_id uuid NOT NULL,
        kind text NOT NULL,
        key text NOT NULL,
        value text NOT NULL,
        other_entity_id uuid NOT NULL,
        guards text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, entity_id, kind, key),
        FOREIGN KEY (workspace_id, entity_id) REFERENCES entities (workspace_id, id),
        FOREIGN KEY (workspace_id, other_entity_id) REFERENCES entities (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX merge_proposals_other ON merge_proposals (workspace_id, other_entity_id)');

    for (const table of ['entity_links', 'merge_proposals']) {
      this.addSql(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
      this.addSql(`CREATE POLICY tenant ON ${table} TO rapport_app USING (workspace_id = current_workspace())`);
      this.addSql(`GRANT SELECT, INSERT ON ${table} TO rapport_app`);
    }
    this.addSql('GRANT UPDATE (retracted_at) ON entity_links TO rapport_app');
    this.addSql('GRANT DELETE ON claims TO rapport_app');
  }
}
