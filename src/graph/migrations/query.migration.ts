import { Migration } from '@mikro-orm/migrations';

/**
 * What reads of the whole workspace's log go by. `happens_at` is when the thing itself takes place: the start of a
 * meeting, for everything else the time of the observation. It is a column because under row-level security an index
 * on an expression serves no condition, and generated, so that no writer has to know of it.
 *
 * One index serves every such read: each property, in byte order, by its time. Reads of several properties merge their streams, so a
 * page costs what it shows. A start that is no ISO 8601 time counts as none.
 */
export class QueryMigration extends Migration {
  override name = '2026-11-20-query';

  override up(): void {
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
    this.addSql(`
      ALTER TABLE observations ADD COLUMN happens_at timestamptz NOT NULL GENERATED ALWAYS AS (
        CASE WHEN starts_with(property, 'interaction.meeting_')
             THEN coalesce(start_of_meeting(value), observed_at) ELSE observed_at END) STORED`);
    this.addSql(
      'CREATE INDEX observations_by_property ON observations (workspace_id, property COLLATE "C", happens_at, id)',
    );
  }
}
