import { readEnv } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import { addHostedPluginCommands } from './hosted-plugins.commands.js';
import { addKeyCommands } from './key.commands.js';
import { addMigrateCommand } from './migrate.command.js';
import { addRebuildClaimsCommand } from './rebuild-claims.command.js';
import { addPluginCommands } from './plugin/plugin.commands.js';
import { runProgram } from './program.js';
import { withDatabase } from './reach-database.js';
import { addSecretsCommands } from './secrets.commands.js';
import { addWorkspaceCommands } from './workspace.commands.js';

const terminal = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
};

const commands = [
  addWorkspaceCommands,
  addKeyCommands,
  addMigrateCommand,
  addRebuildClaimsCommand,
  addSecretsCommands,
  addHostedPluginCommands,
];

const office = {
  terminal,
  withDatabase: <T>(work: (database: Database) => Promise<T>) => withDatabase(readEnv(process.env), terminal.err, work),
};

process.exitCode = await runProgram(process.argv.slice(2), commands, office, [addPluginCommands]);
