import type { Terminal } from '../cli/base/terminal.js';
import { addClientCommands } from '../cli/program.js';
import type { AddCommands } from './admin-command.js';
import { adminCommands, officeOf } from './office.js';
import { addPluginCommands } from './plugin/plugin.commands.js';
import { runProgram } from './program.js';

const office = officeOf(process.env, {
  out: text => void process.stdout.write(`${text}\n`),
  err: text => void process.stderr.write(`${text}\n`),
});

/**
 * Runs a command line that is none of the client's: administration, plugins, or the help, which lists the client's
 * commands too. @returns the exit code
 */
export function runHubs(words: readonly string[], terminal: Terminal): Promise<number> {
  const listClients: AddCommands = program => addClientCommands(program, terminal);
  return runProgram(words, adminCommands, office, [addPluginCommands, listClients]);
}
