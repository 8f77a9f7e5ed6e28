import { graphMigrations } from '#graph/graph.schema.js';
import { ApiKeyEntity } from '#kernel/auth/api-key.entity.js';
import { ConnectionsMigration } from '#kernel/db/migrations/connections.migration.js';
import { DirectoryMigration } from '#kernel/db/migrations/directory.migration.js';
import type { Schema } from '#kernel/db/orm.js';
import { OAuthMigration } from '#kernel/oauth/oauth.migration.js';
import { PluginScheduleMigration } from '#kernel/plugins/plugin-schedule.migration.js';
import { PluginsMigration } from '#kernel/plugins/plugins.migration.js';
import { PluginStoreMigration } from '#kernel/plugins/store/plugin-store.migration.js';
import { WorkspaceEntity } from '#kernel/workspaces/workspace.entity.js';

/** The tables of every room: the house first, then what lives in it. */
export const schema: Schema = {
  entities: [WorkspaceEntity, ApiKeyEntity],
  migrations: [
    DirectoryMigration,
    PluginsMigration,
    ConnectionsMigration,
    PluginScheduleMigration,
    PluginStoreMigration,
    OAuthMigration,
    ...graphMigrations,
  ],
};
