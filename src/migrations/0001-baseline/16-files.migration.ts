import { Migration } from '@mikro-orm/migrations';
import { isolateTenants, showToSystem } from './row-level-security.js';

/** Files of plugins: what is known of each, and the encrypted chunks of those that are stored in the database. */
export class FilesMigration extends Migration {
  override name = '0001-baseline-16-files';

  override up(): void {
    this.addSql(`
      CREATE TABLE files (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        plugin text NOT NULL,
        name text NOT NULL,
        media_type text NOT NULL,
        state text NOT NULL DEFAULT 'writing' CHECK (state IN ('writing', 'ready')),
        bytes bigint NOT NULL DEFAULT 0,
        sha256 text,
        storage text NOT NULL CHECK (storage IN ('disk', 'postgres')),
        sealed_key text NOT NULL,
        created_by text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX files_expiry ON files (expires_at)');
    this.addSql(`
      CREATE TABLE file_chunks (
        workspace_id uuid NOT NULL,
        file_id uuid NOT NULL,
        position integer NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (workspace_id, file_id, position)
      )`);
    // Encrypted content cannot be compressed.
    this.addSql('ALTER TABLE file_chunks ALTER COLUMN content SET STORAGE EXTERNAL');
    for (const table of ['files', 'file_chunks']) for (const sql of isolateTenants(table)) this.addSql(sql);
    this.addSql(showToSystem('files'));
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON files TO rapport_app');
    this.addSql('GRANT SELECT, INSERT, DELETE ON file_chunks TO rapport_app');
    this.addSql('GRANT SELECT, UPDATE, DELETE ON files TO rapport_eraser');
    this.addSql('GRANT SELECT, DELETE ON file_chunks TO rapport_eraser');
    this.addSql('GRANT SELECT (workspace_id, id, storage, expires_at) ON files TO rapport_system');
  }
}
