import { readEnv } from '#kernel/config/env.js';
import type { AddAdminCommands, AdminContext, AdminOutput } from './admin-context.js';
import { addEventCommands } from './events.commands.js';
import { addHostedPluginCommands } from './hosted-plugins.commands.js';
import { addKeyCommands } from './key.commands.js';
import { addMigrateCommand, addRebuildClaimsCommand, addReindexNotesCommand } from './maintenance.commands.js';
import { addBackupCommands } from './backup.commands.js';
import { withDatabase, withServer } from './with-database.js';
import { addSecretsCommands } from './secrets.commands.js';
import { addUserCommands } from './user.commands.js';
import { addWorkspaceDataCommands } from './workspace-data.commands.js';
import { addWorkspaceCommands } from './workspace.commands.js';

/** All commands below `rapport admin`. */
export const ADMIN_COMMANDS: readonly AddAdminCommands[] = [
  addWorkspaceCommands,
  addWorkspaceDataCommands,
  addKeyCommands,
  addUserCommands,
  addMigrateCommand,
  addBackupCommands,
  addRebuildClaimsCommand,
  addReindexNotesCommand,
  addSecretsCommands,
  addEventCommands,
  addHostedPluginCommands,
];

/** Creates the context of commands. @param environment the settings, read only when a command opens the database */
export function createAdminContext(environment: NodeJS.ProcessEnv, terminal: AdminOutput): AdminContext {
  return {
    terminal,
    withDatabase: (work, overrides = {}) => withDatabase({ ...readEnv(environment), ...overrides }, terminal.err, work),
    withServer: work => withServer(readEnv(environment), terminal.err, work),
  };
}
