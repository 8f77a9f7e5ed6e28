import { Migration } from '@mikro-orm/migrations';

/**
 * Notes, which are only ever added to, and what they are found by. Everything that search looks up is found by
 * equality: under row-level security the operators of full text and trigrams may not use an index, because they are
 * not leakproof, and would read the notes of every workspace first.
 *
 * `note_terms` says how often a passage has a term, `note_words` which words a workspace has written and
 * `note_trigrams` by which three letters they are found again when they are mistyped. `note_statistics` counts
 * passages and their tokens, for how long an average passage is.
 */
export class NotesMigration extends Migration {
  override name = '2026-11-20-notes';

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
    // In part, though every date is one: a look-up by entity may not take it for its own while the table is empty.
    this.addSql("CREATE INDEX notes_by_date ON notes (workspace_id, date, id) WHERE date > '-infinity'");
    this.addSql(`
      CREATE UNIQUE INDEX notes_external_id ON notes (workspace_id, entity_id, source, external_id)
      WHERE external_id IS NOT NULL`);

    this.addSql(`
      CREATE TABLE note_chunks (
        workspace_id uuid NOT NULL,
        note_id uuid NOT NULL,
        place smallint NOT NULL,
        text text NOT NULL,
        PRIMARY KEY (workspace_id, note_id, place)
      )`);
    this.addSql(`
      CREATE TABLE note_terms (
        workspace_id uuid NOT NULL,
        term text NOT NULL,
        note_id uuid NOT NULL,
        place smallint NOT NULL,
        count smallint NOT NULL,
        length smallint NOT NULL,
        PRIMARY KEY (workspace_id, term, note_id, place) INCLUDE (count, length)
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
      this.addSql(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
      this.addSql(`CREATE POLICY tenant ON ${table} TO rapport_app USING (workspace_id = current_workspace())`);
      this.addSql(`GRANT SELECT, INSERT ON ${table} TO rapport_app`);
    }
    this.addSql('GRANT UPDATE ON note_statistics TO rapport_app');
    // Terms are made of the passages, and made anew when the thesaurus has changed.
    this.addSql('GRANT DELETE ON note_terms TO rapport_app');
  }
}
