import { ApiKeyEntity } from '#kernel/auth/api-key.entity.js';
import { readEnv } from '#kernel/config/env.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import { DirectoryMigration } from '../../../src/migrations/0001-baseline/01-directory.migration.js';
import { AuditMigration } from '../../../src/migrations/0001-baseline/10-audit.migration.js';
import { WorkspaceEntity } from '#kernel/workspaces/workspace.entity.js';
import { freshDatabase } from './database.js';

const quiet = { info: () => undefined, error: () => undefined };

/** Opens a database with the directory (workspaces, keys) and the audit log alone, and nothing in them. */
export function openDirectory(url: string): Promise<Database> {
  const env = readEnv({ DATABASE_URL: url, DATABASE_POOL_SIZE: '4' });
  const migrations = [DirectoryMigration, AuditMigration];
  return openDatabase(env, { entities: [WorkspaceEntity, ApiKeyEntity], migrations }, quiet);
}

/** A fresh database with the directory in it, and how to be rid of both. */
export async function freshDirectory(): Promise<{ database: Database; drop(): Promise<void> }> {
  const fresh = await freshDatabase();
  const database = await openDirectory(fresh.url);
  return {
    database,
    drop: async () => {
      await database.close();
      await fresh.drop();
    },
  };
}
