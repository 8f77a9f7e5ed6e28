import { Migration } from '@mikro-orm/migrations';
import { isolateTenants } from './row-level-security.js';

/**
 * Entities, the identifiers that name them, and the links that merge them. `workspace_id` leads every key, so that
 * row-level security is an index condition and a workspace can be moved, partitioned or distributed.
 *
 * A merge is a link that is appended and may be retracted; the log is never rewritten. `entities.canonical_id` (null:
 * the entity itself) caches the clusters that the active links form, so that reads and writes do not walk links. The
 * entity of an erased person has its own id there: it belongs to no cluster, and no list shows it.
 *
 * Many plans are made while the tables are empty. Then all indexes that begin with the workspace seem equally good, and
 * the planner takes the youngest. So indexes are partial where they can be, with a condition that only the queries they
 * are meant for imply, and the order of creation matters where they cannot.
 */
export class EntitiesMigration extends Migration {
  override name = '0001-baseline-05-entities';

  override up(): void {
    this.addSql('CREATE EXTENSION IF NOT EXISTS pg_trgm');

    // Text is compared byte by byte (collation C), as the hub compares it.
    this.addSql(`
      CREATE TABLE entities (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        type text NOT NULL CHECK (type IN ('person', 'company')),
        name text,
        name_key text COLLATE "C",
        company_id uuid,
        first_activity_at timestamptz,
        last_activity_at timestamptz,
        last_inbound_activity_at timestamptz,
        stage text COLLATE "C",
        created_at timestamptz NOT NULL DEFAULT now(),
        canonical_id uuid,
        PRIMARY KEY (workspace_id, id),
        FOREIGN KEY (workspace_id, company_id) REFERENCES entities (workspace_id, id),
        FOREIGN KEY (workspace_id, canonical_id) REFERENCES entities (workspace_id, id)
      ) WITH (fillfactor = 80)`);
    this.addSql('CREATE INDEX entities_company ON entities (workspace_id, company_id) WHERE company_id IS NOT NULL');
    this.addSql(
      'CREATE INDEX entities_members ON entities (workspace_id, canonical_id) WHERE canonical_id IS NOT NULL',
    );
    // Companies are listed by the time of their creation, which their ids sort by.
    this.addSql(`
      CREATE INDEX entities_companies ON entities (workspace_id, id) WHERE type = 'company' AND canonical_id IS NULL`);
    this.addSql(`
      CREATE INDEX entities_activity ON entities (workspace_id, last_activity_at, id)
      WHERE type = 'person' AND canonical_id IS NULL`);
    // An event about an entity writes to the index of its type only.
    this.addSql(`
      CREATE INDEX entities_name ON entities (workspace_id, name_key, id)
      WHERE type = 'person' AND canonical_id IS NULL`);
    this.addSql(`
      CREATE INDEX entities_company_activity ON entities (workspace_id, last_activity_at, id)
      WHERE type = 'company' AND canonical_id IS NULL`);
    // Deals by stage and silence. `stage` follows the claim of that name, see the migration of claims.
    this.addSql(`
      CREATE INDEX entities_stage ON entities (workspace_id, stage, last_activity_at, id)
      WHERE stage IS NOT NULL AND canonical_id IS NULL`);
    // The condition is one that no other index of entities has. If it implied `type = 'company' AND canonical_id IS NULL`,
    // a look-up by name could also be planned on the index by activity. With statistics that know one company and no
    // name, that costs as much, and would read every company of the workspace.
    this.addSql(`
      CREATE INDEX entities_company_name ON entities (workspace_id, name_key, id)
      WHERE type <> 'person' AND canonical_id IS NULL AND name_key IS NOT NULL`);

    this.addSql(`
      CREATE TABLE identifiers (
        workspace_id uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('email', 'domain', 'linkedin', 'phone', 'external')),
        key text COLLATE "C" NOT NULL,
        value text NOT NULL,
        entity_id uuid NOT NULL,
        first_seen timestamptz NOT NULL DEFAULT now(),
        FOREIGN KEY (workspace_id, entity_id) REFERENCES entities (workspace_id, id)
      )`);
    // The condition is always true. It keeps the planner from using this index for a look-up by kind and key.
    this.addSql(`
      CREATE INDEX identifiers_entity ON identifiers (workspace_id, entity_id) WHERE entity_id IS NOT NULL`);
    // Resolving an identifier reads the index alone. The key comes last, so that it is the youngest index.
    this.addSql('ALTER TABLE identifiers ADD PRIMARY KEY (workspace_id, kind, key) INCLUDE (entity_id)');

    // The words of names, folded, by which an entity is found while somebody types. Rows instead of an index on an
    // expression, which would serve no condition under row-level security. The reversed word finds typing errors at the
    // beginning. The index by entity is the youngest, for the look-up of the words of a name that changes.
    this.addSql(`
      CREATE TABLE name_words (
        workspace_id uuid NOT NULL,
        word text COLLATE "C" NOT NULL,
        entity_id uuid NOT NULL,
        reversed text COLLATE "C" NOT NULL GENERATED ALWAYS AS (reverse(word)) STORED,
        PRIMARY KEY (workspace_id, word, entity_id)
      )`);
    this.addSql('CREATE INDEX name_words_reversed ON name_words (workspace_id, reversed)');
    this.addSql('CREATE INDEX name_words_entity ON name_words (workspace_id, entity_id, word)');

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
      CREATE UNIQUE INDEX entity_links_active ON entity_links (workspace_id, a, b, kind) WHERE retracted_at IS NULL`);
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
        score real,
        parts jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, entity_id, kind, key),
        FOREIGN KEY (workspace_id, entity_id) REFERENCES entities (workspace_id, id),
        FOREIGN KEY (workspace_id, other_entity_id) REFERENCES entities (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX merge_proposals_other ON merge_proposals (workspace_id, other_entity_id)');
    this.addSql('CREATE INDEX merge_proposals_age ON merge_proposals (workspace_id, created_at, entity_id, key)');

    // How far the comparison of entities by likeness has come: the id of the last one, and when it began.
    this.addSql(`
      CREATE TABLE likeness_scans (
        workspace_id uuid NOT NULL PRIMARY KEY,
        after_id uuid NOT NULL,
        started_at timestamptz NOT NULL
      )`);

    const tables = ['entities', 'identifiers', 'name_words', 'entity_links', 'merge_proposals', 'likeness_scans'];
    for (const table of tables) for (const sql of isolateTenants(table)) this.addSql(sql);
    this.addSql('GRANT SELECT, INSERT, UPDATE ON likeness_scans TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON entities TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, DELETE ON name_words TO rapport_app');
    this.addSql('GRANT SELECT, INSERT ON identifiers, entity_links, merge_proposals TO rapport_app');
    this.addSql('GRANT UPDATE (retracted_at) ON entity_links TO rapport_app');
  }
}
