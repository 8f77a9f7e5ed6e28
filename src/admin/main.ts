import { readEnv } from '#kernel/config/env.js';
import { addKeyCommands } from './key.commands.js';
import { addMigrateCommand } from './migrate.command.js';
import { addRebuildClaimsCommand } from './rebuild-claims.command.js';
import { runProgram } from './program.js';
import { withDatabase } from './reach-database.js';
import { addWorkspaceCommands } from './workspace.commands.js';

const terminal = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
};

const commands = [addWorkspaceCommands, addKeyCommands, addMigrateCommand, addRebuildClaimsCommand];

process.exitCode = await runProgram(process.argv.slice(2), commands, {
  terminal,
  withDatabase: work => withDatabase(readEnv(process.env), terminal.err, work),
});
