import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './row-level-security.js';

/**
 * The audit log. Roles that serve requests may append and, within their workspace, read. No role has UPDATE or DELETE.
 * Objects and actors are IDs, so an entry needs no erasure when the data of a person goes.
 */
export class AuditMigration extends Migration {
  override name = '0001-baseline-10-audit';

  override up(): void {
    this.addSql(`
      CREATE TABLE audit_events (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        actor_kind text NOT NULL CHECK (actor_kind IN ('key', 'person', 'oauth', 'operator')),
        actor_id text NOT NULL,
        action text NOT NULL,
        object_type text NOT NULL,
        object_id text,
        before jsonb,
        after jsonb,
        address text,
        client text,
        request_id text,
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX audit_events_at ON audit_events (workspace_id, at, id)');
    this.addSql('CREATE INDEX audit_events_object ON audit_events (workspace_id, object_id, at, id)');
    for (const sql of isolateTenants('audit_events')) this.addSql(sql);
    this.addSql(showToSystem('audit_events'));
    this.addSql('GRANT SELECT, INSERT ON audit_events TO rapport_app');
    this.addSql('GRANT INSERT ON audit_events TO rapport_system');
  }
}
