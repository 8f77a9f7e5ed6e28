import { Migration } from '@mikro-orm/migrations';
import { isolateTenants } from './row-level-security.js';

/** Columns of the log that the view of active observations has. */
const OBSERVATION_COLUMNS = `workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at,
  external_id, digest, raw, happens_at, commit_position`;
const NOTE_COLUMNS = `workspace_id, id, entity_id, type, title, date, content, source, external_id, participants, passages,
  created_at`;

/**
 * Retractions: statements that were withdrawn, for example because a wrong file was imported. Nothing is deleted. The
 * tables `observation_log` and `note_log` keep every row; the views `observations` and `notes`, which all readers of the
 * present use, leave out what was retracted, so that none can forget to. What was known at an earlier time is read from
 * the log.
 *
 * The views run with the rights of their reader, so row-level security holds. As the log is only added to by
 * `rapport_app`, retractions are written by `rapport_eraser`.
 */
export class RetractionsMigration extends Migration {
  override name = '0001-baseline-23-retractions';

  override up(): void {
    this.createRetractions();
    this.retractObservations();
    this.retractNotes();
    this.retractEntities();
    // A lead that an import added, and that nobody has worked, goes with the import.
    this.addSql('ALTER TABLE leads ADD COLUMN source text');
    this.grantToEraser();
  }

  private createRetractions(): void {
    this.addSql(`
      CREATE TABLE retractions (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        source text NOT NULL,
        reason text,
        actor_kind text NOT NULL,
        actor_id text NOT NULL,
        retracted_at timestamptz NOT NULL,
        observations int NOT NULL,
        notes int NOT NULL,
        PRIMARY KEY (workspace_id, id)
      )`);
    for (const sql of isolateTenants('retractions')) this.addSql(sql);
    this.addSql('GRANT SELECT ON retractions TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON retractions TO rapport_eraser');
  }

  private retractObservations(): void {
    this.addSql('ALTER TABLE observations RENAME TO observation_log');
    this.addSql('ALTER TABLE observation_log ADD COLUMN retracted_at timestamptz, ADD COLUMN retraction_id uuid');
    // What was retracted can be recorded again under the same external ID.
    this.addSql('DROP INDEX observations_external_id');
    this.addSql(`
      CREATE UNIQUE INDEX observations_external_id ON observation_log (workspace_id, entity_id, source, external_id, property)
      WHERE external_id IS NOT NULL AND retracted_at IS NULL`);
    this.addSql(`
      CREATE VIEW observations WITH (security_invoker = true) AS
      SELECT ${OBSERVATION_COLUMNS} FROM observation_log WHERE retracted_at IS NULL`);
    this.addSql('GRANT SELECT ON observations TO rapport_app, rapport_eraser');
  }

  private retractNotes(): void {
    this.addSql('ALTER TABLE notes RENAME TO note_log');
    this.addSql('ALTER TABLE note_log ADD COLUMN retracted_at timestamptz, ADD COLUMN retraction_id uuid');
    this.addSql('DROP INDEX notes_external_id');
    this.addSql(`
      CREATE UNIQUE INDEX notes_external_id ON note_log (workspace_id, entity_id, source, external_id)
      WHERE external_id IS NOT NULL AND retracted_at IS NULL`);
    this.addSql(`
      CREATE VIEW notes WITH (security_invoker = true) AS
      SELECT ${NOTE_COLUMNS} FROM note_log WHERE retracted_at IS NULL`);
    this.addSql('GRANT SELECT ON notes TO rapport_app, rapport_eraser');
  }

  private retractEntities(): void {
    // An entity of which nothing is left has its own ID as canonical ID, as that of an erased person, and no identifiers.
    // Those that it had are kept beside, because its rows in the log are still personal data: an erasure and an export of
    // the person have to find them.
    this.addSql('ALTER TABLE entities ADD COLUMN retracted_at timestamptz');
    this.addSql(`
      CREATE TABLE retracted_identifiers (
        workspace_id uuid NOT NULL,
        kind text NOT NULL,
        key text COLLATE "C" NOT NULL,
        value text NOT NULL,
        entity_id uuid NOT NULL,
        PRIMARY KEY (workspace_id, kind, key, entity_id),
        FOREIGN KEY (workspace_id, entity_id) REFERENCES entities (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX retracted_identifiers_entity ON retracted_identifiers (workspace_id, entity_id)');
    for (const sql of isolateTenants('retracted_identifiers')) this.addSql(sql);
    this.addSql('GRANT SELECT ON retracted_identifiers TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, DELETE ON retracted_identifiers TO rapport_eraser');
  }

  /** The rest of what a retraction writes: names, merges, leads and scores. */
  private grantToEraser(): void {
    this.addSql('GRANT INSERT ON name_words, observation_log TO rapport_eraser');
    this.addSql('GRANT UPDATE (retracted_at, commit_position) ON entity_links TO rapport_eraser');
    this.addSql('GRANT INSERT, DELETE ON leads TO rapport_eraser');
    this.addSql('GRANT DELETE ON lead_lists TO rapport_eraser');
  }
}
