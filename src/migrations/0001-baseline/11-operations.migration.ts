import { Migration } from '@mikro-orm/migrations';

/** What operators need: the running processes with what they hold, and the progress of deferred migrations. */
export class OperationsMigration extends Migration {
  override name = '0001-baseline-11-operations';

  override up(): void {
    this.addSql(`
      CREATE TABLE processes (
        id uuid PRIMARY KEY,
        role text NOT NULL CHECK (role IN ('all', 'api', 'worker')),
        host text NOT NULL,
        pid integer NOT NULL,
        version text NOT NULL,
        secret_keys text[] NOT NULL,
        started_at timestamptz NOT NULL DEFAULT now(),
        seen_at timestamptz NOT NULL DEFAULT now()
      )`);
    this.addSql(`
      CREATE TABLE deferred_migrations (
        name text PRIMARY KEY,
        cursor text,
        updated_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz
      )`);
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON processes TO rapport_system');
    this.addSql('GRANT SELECT, INSERT, UPDATE ON deferred_migrations TO rapport_system');
  }
}
