import { Migration } from '@mikro-orm/migrations';

/**
 * What lists of people filter and sort by. The claim's shown value, how sure it is and when it was last supported
 * stand beside the fold state, written by the same statement; freshness is `supported_at` compared with now, so no
 * row has to change when a fact ages.
 *
 * Text is compared byte by byte (collation C), as the hub compares it, and indexed by its first 200 characters: an
 * index entry must stay below a third of a page, whatever is stated. They are a column, because under row-level
 * security an index on an expression serves no condition.
 *
 * Every index here holds the rows of a list only: one that held all rows could be taken for the look-up by key, whose
 * plan is made while the tables are empty and all ways look alike, and it would read a workspace through.
 */
export class ListsMigration extends Migration {
  override name = '2026-11-20-lists';

  override up(): void {
    this.addSql(`
      ALTER TABLE claims
        ADD COLUMN value jsonb,
        ADD COLUMN text text COLLATE "C",
        ADD COLUMN head text COLLATE "C" GENERATED ALWAYS AS (left(text, 200)) STORED,
        ADD COLUMN number double precision,
        ADD COLUMN confidence double precision,
        ADD COLUMN class text,
        ADD COLUMN supported_at timestamptz`);
    this.addSql(`
      CREATE INDEX claims_text ON claims (workspace_id, property, head, entity_id) WHERE head IS NOT NULL`);
    this.addSql(`
      CREATE INDEX claims_number ON claims (workspace_id, property, number, entity_id) WHERE number IS NOT NULL`);

    this.addSql(`
      CREATE INDEX entities_activity ON entities (workspace_id, last_activity_at, id)
      WHERE type = 'person' AND canonical_id IS NULL`);
    this.addSql('DROP INDEX entities_name');
    this.addSql('ALTER TABLE entities ALTER COLUMN name_key TYPE text COLLATE "C"');
    this.addSql(`
      CREATE INDEX entities_name ON entities (workspace_id, name_key, id)
      WHERE type = 'person' AND canonical_id IS NULL`);
    this.addSql('CREATE INDEX entities_namesakes ON entities (workspace_id, name_key) WHERE name_key IS NOT NULL');
  }
}
