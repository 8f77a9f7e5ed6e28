import { Migration } from '@mikro-orm/migrations';

/**
 * A fold state is text to the database, which would otherwise read through it each time it is written, and whoever asks
 * for a part of it would have it read again. What is asked for stands beside it: the observation that the claim rests on,
 * and when a statement about the future comes due. One pass over the table fills both and changes the state's type; it
 * needs no sight of the rows, which row-level security denies to an owner who is no superuser.
 */
export class OpaqueStatesMigration extends Migration {
  override name = '2026-11-23-opaque-states';

  override up(): void {
    this.addSql('ALTER TABLE claims ADD COLUMN ref uuid, ADD COLUMN next_change_at timestamptz');
    this.addSql(`
      ALTER TABLE claims
        ALTER COLUMN state TYPE text,
        ALTER COLUMN ref TYPE uuid USING substring(state #>> '{tracks,0,newest,id}' FROM '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$')::uuid,
        ALTER COLUMN next_change_at TYPE timestamptz USING
          'epoch'::timestamptz + substring(state ->> 'nextChangeAt' FROM '^-?[0-9]{1,16}$')::bigint * interval '1 microsecond'`);
  }
}
