import { Migration } from '@mikro-orm/migrations';
import { isolateTenants } from './row-level-security.js';

/**
 * Notes, which are append-only, and their search index. Every look-up of search is by equality: the operators of full
 * text and trigrams are not leakproof, so under row-level security they may not use an index, and would read the notes
 * of every workspace first.
 *
 * `note_terms` has the frequency of a term in a passage, `note_words` the words that occur in a workspace, and
 * `note_trigrams` finds a word by its trigrams when it is mistyped. `note_statistics` counts passages and their tokens,
 * which gives the average length of a passage.
 */
export class NotesMigration extends Migration {
  override name = '0001-baseline-09-notes';

  override up(): void {
    this.addSql(`
      CREATE TABLE notes (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        entity_id uuid NOT NULL,
        type text NOT NULL,
        title text NOT NULL,
        date date NOT NULL,
        content text NOT NULL,
        source text NOT NULL,
        external_id text,
        participants jsonb NOT NULL,
        passages int NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, id),
        FOREIGN KEY (workspace_id, entity_id) REFERENCES entities (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX notes_by_entity ON notes (workspace_id, entity_id, date, id)');
    // The condition is always true. It keeps the planner from using this index for a look-up by entity while the table
    // is empty.
    this.addSql("CREATE INDEX notes_by_date ON notes (workspace_id, date, id) WHERE date > '-infinity'");
    this.addSql(`
      CREATE UNIQUE INDEX notes_external_id ON notes (workspace_id, entity_id, source, external_id)
      WHERE external_id IS NOT NULL`);

    this.addSql(`
      CREATE TABLE note_chunks (
        workspace_id uuid NOT NULL,
        note_id uuid NOT NULL,
        position smallint NOT NULL,
        text text NOT NULL,
        PRIMARY KEY (workspace_id, note_id, position)
      )`);
    this.addSql(`
      CREATE TABLE note_terms (
        workspace_id uuid NOT NULL,
        term text NOT NULL,
        note_id uuid NOT NULL,
        position smallint NOT NULL,
        count smallint NOT NULL,
        length smallint NOT NULL,
        PRIMARY KEY (workspace_id, term, note_id, position) INCLUDE (count, length)
      )`);
    this.addSql(`
      CREATE TABLE note_words (
        workspace_id uuid NOT NULL,
        word text NOT NULL,
        PRIMARY KEY (workspace_id, word)
      )`);
    this.addSql(`
      CREATE TABLE note_trigrams (
        workspace_id uuid NOT NULL,
        trigram text NOT NULL,
        word text NOT NULL,
        PRIMARY KEY (workspace_id, trigram, word)
      )`);
    this.addSql(`
      CREATE TABLE note_statistics (
        workspace_id uuid NOT NULL PRIMARY KEY,
        passages bigint NOT NULL,
        tokens bigint NOT NULL
      ) WITH (fillfactor = 50)`);

    const tables = ['notes', 'note_chunks', 'note_terms', 'note_words', 'note_trigrams', 'note_statistics'];
    for (const table of tables) {
      for (const sql of isolateTenants(table)) this.addSql(sql);
      this.addSql(`GRANT SELECT, INSERT ON ${table} TO rapport_app`);
    }
    this.addSql('GRANT UPDATE ON note_statistics TO rapport_app');
    // Terms are made from the passages, and made again when the thesaurus changes.
    this.addSql('GRANT DELETE ON note_terms TO rapport_app');
  }
}
