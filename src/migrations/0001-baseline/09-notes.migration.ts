import { Migration } from '@mikro-orm/migrations';
import { isolateTenants } from './row-level-security.js';

/**
 * Notes, which are append-only, and their search index. Every look-up of search is by equality: the operators of full
 * text and trigrams are not leakproof, so under row-level security they may not use an index, and would read the notes
 * of every workspace first.
 *
 * `note_chunks` has the passages of a note: where each starts in the content and how long it is, in characters. The text
 * is stored once.
 *
 * `note_terms` lists the passages with a term, about 28 in a row, since rows of their own would take many times the size
 * of the text. Each is a number of 64 bits: the number of its note in the workspace, the position of the passage, the
 * count of the term, and the length of the passage in tokens. They ascend. `note_numbers` maps a number to its note.
 *
 * `note_words` has the words that occur in a workspace, and `note_trigrams` lists the words with a trigram, about 28 in a
 * row, to find a word that is mistyped. `note_statistics` counts passages and their tokens, which gives the average
 * length of a passage, and has the last number of a note. Its row is locked before terms and words are added or removed.
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
        start int NOT NULL,
        length int NOT NULL,
        PRIMARY KEY (workspace_id, note_id, position)
      )`);
    this.addSql(`
      CREATE TABLE note_terms (
        workspace_id uuid NOT NULL,
        term text NOT NULL,
        block int NOT NULL,
        postings bigint[] NOT NULL,
        PRIMARY KEY (workspace_id, term, block)
      ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`);
    this.addSql(`
      CREATE TABLE note_numbers (
        workspace_id uuid NOT NULL,
        number int NOT NULL,
        note_id uuid NOT NULL,
        PRIMARY KEY (workspace_id, number),
        UNIQUE (workspace_id, note_id)
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
        block int NOT NULL,
        words text[] NOT NULL,
        PRIMARY KEY (workspace_id, trigram, block)
      ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`);
    this.addSql(`
      CREATE TABLE note_statistics (
        workspace_id uuid NOT NULL PRIMARY KEY,
        passages bigint NOT NULL,
        tokens bigint NOT NULL,
        last_number int NOT NULL DEFAULT 0
      ) WITH (fillfactor = 50)`);

    const index = ['note_chunks', 'note_terms', 'note_numbers', 'note_words', 'note_trigrams', 'note_statistics'];
    const tables = ['notes', ...index];
    for (const table of tables) {
      for (const sql of isolateTenants(table)) this.addSql(sql);
      this.addSql(`GRANT SELECT, INSERT ON ${table} TO rapport_app`);
    }
    this.addSql('GRANT UPDATE ON note_statistics, note_terms, note_trigrams TO rapport_app');
    // Terms are made from the passages, and made again when the thesaurus changes.
    this.addSql('GRANT DELETE ON note_terms, note_numbers TO rapport_app');
  }
}
