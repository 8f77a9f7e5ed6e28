import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './row-level-security.js';

/**
 * The append-only log of observations, the claims that are folded from it, the versions of a workspace's trust in its
 * sources, the progress of the rebuild that a new version starts, and the results of nightly audits of a sample.
 *
 * Observations and claims have no foreign key on entities: checking it would cost as much as writing the row, and it
 * could never fail. No role may delete an entity, and rows are written only for one that was just found or created.
 */
export class ClaimsMigration extends Migration {
  override name = '0001-baseline-06-claims';

  override up(): void {
    this.createObservations();
    this.createClaims();
    this.createTrust();
  }

  private createObservations(): void {
    // A start that is no ISO 8601 time counts as none.
    this.addSql(`
      CREATE FUNCTION start_of_meeting(value jsonb) RETURNS timestamptz
      LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET timezone = 'UTC' SET datestyle = 'ISO' AS $$
      DECLARE
        start text := CASE jsonb_typeof(value) WHEN 'object' THEN value ->> 'start' END;
      BEGIN
        IF start ~ '^(19|20|21)\\d\\d-\\d\\d-\\d\\d([Tt ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?([Zz]|[+-]\\d\\d(:?\\d\\d)?)?)?$' THEN
          RETURN start::timestamptz;
        END IF;
        RETURN NULL;
      EXCEPTION WHEN data_exception THEN
        RETURN NULL;
      END $$`);

    // `happens_at` is the start of a meeting, and the time of the observation for everything else. It is a column,
    // because an index on an expression serves no condition under row-level security, and generated, so that writers
    // need not know of it.
    this.addSql(`
      CREATE TABLE observations (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        entity_id uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('event', 'state')),
        property text NOT NULL,
        value jsonb,
        source text NOT NULL,
        method text NOT NULL,
        observed_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        external_id text,
        digest bytea NOT NULL,
        raw json,
        happens_at timestamptz NOT NULL GENERATED ALWAYS AS (
          CASE WHEN starts_with(property, 'interaction.meeting_')
               THEN coalesce(start_of_meeting(value), observed_at) ELSE observed_at END) STORED,
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql(`
      CREATE UNIQUE INDEX observations_external_id
      ON observations (workspace_id, entity_id, source, external_id, property) WHERE external_id IS NOT NULL`);
    // Serves every read of the whole workspace: each property, in byte order, by its time. Reads of several properties
    // merge their streams, so a page costs what it shows. The condition is always true; it keeps the planner from using
    // the index for queries that do not name it.
    this.addSql(`
      CREATE INDEX observations_by_property ON observations (workspace_id, property COLLATE "C", happens_at, id)
      WHERE happens_at > '-infinity'`);
    // Serves reads of an entity by time and by property: the property is compared in the index, and only rows that
    // match are fetched. An index of its own for the property would be one more page to change for every call.
    this.addSql(`
      CREATE INDEX observations_timeline ON observations (workspace_id, entity_id, observed_at, id, property)`);
    for (const sql of isolateTenants('observations')) this.addSql(sql);
    this.addSql('GRANT SELECT, INSERT ON observations TO rapport_app');
  }

  private createClaims(): void {
    // `state` is the state of the fold, opaque to the database: as json it would be parsed on every write. The columns
    // after it are what lists filter and sort by, written by the same statement. Freshness is `supported_at` compared
    // with now, so no row has to change when a fact ages. `next_change_at` is when a statement about the future is due.
    // `tenure` has the start of the present job, of the claim `company`, and who states a fact of a job, of others; of an
    // address also when mail to it bounced.
    //
    // Text is compared byte by byte (collation C), as the hub compares it. It is indexed by its first 200 characters,
    // since an index entry must stay below a third of a page. The prefix is a column, because an index on an expression
    // serves no condition under row-level security.
    this.addSql(`
      CREATE TABLE claims (
        workspace_id uuid NOT NULL,
        entity_id uuid NOT NULL,
        property text NOT NULL,
        state text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        value jsonb,
        text_value text COLLATE "C",
        text_prefix text COLLATE "C" GENERATED ALWAYS AS (left(text_value, 200)) STORED,
        number_value double precision,
        confidence double precision,
        epistemic_class text,
        supported_at timestamptz,
        top_observation_id uuid,
        next_change_at timestamptz,
        tenure jsonb,
        PRIMARY KEY (workspace_id, entity_id, property)
      ) WITH (fillfactor = 70)`);
    // All of these are partial: one that held all rows could be taken for the look-up by key, and would read a whole
    // workspace. Only columns are indexed that hardly ever change: an index on `supported_at` would make every repeated
    // statement write to it.
    this.addSql(`
      CREATE INDEX claims_text_value ON claims (workspace_id, property, text_prefix, entity_id)
      WHERE text_prefix IS NOT NULL`);
    this.addSql(`
      CREATE INDEX claims_number_value ON claims (workspace_id, property, number_value, entity_id)
      WHERE number_value IS NOT NULL`);
    this.addSql(`
      CREATE INDEX claims_contested ON claims (workspace_id, property, entity_id)
      WHERE epistemic_class = 'contested'`);
    this.addSql(`
      CREATE INDEX claims_commitments ON claims (workspace_id, entity_id, property)
      WHERE starts_with(property, 'action_item.')`);
    // Deals are found by stage and silence, which no index over two tables can serve. The stage is copied by the database,
    // so that every writer of claims copies it; only a claim of that name costs anything.
    this.addSql(`
      CREATE FUNCTION copy_stage_to_entity() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        workspace uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.workspace_id ELSE NEW.workspace_id END;
        entity uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.entity_id ELSE NEW.entity_id END;
        current text := CASE WHEN TG_OP = 'DELETE' THEN NULL ELSE NEW.text_prefix END;
      BEGIN
        UPDATE entities SET stage = current
        WHERE workspace_id = workspace AND id = entity AND stage IS DISTINCT FROM current;
        RETURN NULL;
      END $$`);
    this.addSql(`
      CREATE TRIGGER claims_stage AFTER INSERT OR UPDATE OF text_value ON claims
      FOR EACH ROW WHEN (NEW.property = 'stage') EXECUTE FUNCTION copy_stage_to_entity()`);
    this.addSql(`
      CREATE TRIGGER claims_stage_deleted AFTER DELETE ON claims
      FOR EACH ROW WHEN (OLD.property = 'stage') EXECUTE FUNCTION copy_stage_to_entity()`);
    for (const sql of isolateTenants('claims')) this.addSql(sql);
    // Claims are a cache: those of an entity that is merged away are deleted, and folded again after an unmerge.
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON claims TO rapport_app');
  }

  private createTrust(): void {
    this.addSql(`
      CREATE TABLE source_trust_versions (
        workspace_id uuid NOT NULL,
        version int NOT NULL CHECK (version > 0),
        content jsonb NOT NULL,
        note text,
        author jsonb,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (workspace_id, version)
      )`);
    this.addSql(`
      CREATE TABLE claim_rebuilds (
        workspace_id uuid NOT NULL,
        version int NOT NULL,
        cursor uuid,
        entities int NOT NULL DEFAULT 0,
        claims int NOT NULL DEFAULT 0,
        changed int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        finished_at timestamptz,
        PRIMARY KEY (workspace_id)
      )`);
    this.addSql(`
      CREATE TABLE claim_audits (
        workspace_id uuid NOT NULL,
        day date NOT NULL,
        claims int,
        mismatches int,
        PRIMARY KEY (workspace_id, day)
      )`);
    for (const table of ['source_trust_versions', 'claim_rebuilds', 'claim_audits']) {
      for (const sql of isolateTenants(table)) this.addSql(sql);
      this.addSql(showToSystem(table));
    }
    this.addSql('GRANT SELECT, INSERT ON source_trust_versions TO rapport_app');
    this.addSql('GRANT SELECT ON source_trust_versions TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON claim_rebuilds TO rapport_app');
    this.addSql('GRANT SELECT, UPDATE ON claim_rebuilds TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON claim_audits TO rapport_app');
  }
}
