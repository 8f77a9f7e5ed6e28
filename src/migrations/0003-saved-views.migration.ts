import { Migration } from '@mikro-orm/migrations';
import { isolateTenants } from './0001-baseline/row-level-security.js';

/** Saved views: conditions, order and columns of a list, with a name. A view has an owner, and may be shared. */
export class SavedViewsMigration extends Migration {
  override name = '0003-saved-views';

  override up(): void {
    this.addSql(`
      CREATE TABLE saved_views (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        resource text NOT NULL CHECK (resource IN ('people', 'companies', 'leads')),
        name text NOT NULL,
        query jsonb NOT NULL,
        is_shared boolean NOT NULL,
        owner_kind text NOT NULL,
        owner_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, id)
      )`);
    // A colleague's private view never takes a name away from others.
    this.addSql(`
      CREATE UNIQUE INDEX saved_views_shared_name ON saved_views (workspace_id, resource, name) WHERE is_shared`);
    this.addSql(`
      CREATE UNIQUE INDEX saved_views_own_name
      ON saved_views (workspace_id, owner_kind, owner_id, resource, name) WHERE NOT is_shared`);
    for (const sql of isolateTenants('saved_views')) this.addSql(sql);
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON saved_views TO rapport_app');
    this.addSql('GRANT SELECT, UPDATE, DELETE ON saved_views TO rapport_eraser');
  }
}
