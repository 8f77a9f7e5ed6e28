import type { Terminal } from '../cli/base/terminal.js';
import { registerClientCommands } from '../cli/program.js';
import type { AddAdminCommands } from './admin-context.js';
import { ADMIN_COMMANDS, createAdminContext } from './admin-commands.js';
import { addPluginCommands } from './plugin/plugin.commands.js';
import { runAdminProgram } from './program.js';

/**
 * Runs a command line for `admin` or `plugin`, or the help, which lists the client's commands too.
 * @returns the exit code
 */
export function runServerCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const context = createAdminContext(process.env, {
    out: text => void process.stdout.write(`${text}\n`),
    err: text => void process.stderr.write(`${text}\n`),
  });
  const addClientCommands: AddAdminCommands = program => registerClientCommands(program, terminal);
  return runAdminProgram(args, ADMIN_COMMANDS, context, [addPluginCommands, addClientCommands]);
}
