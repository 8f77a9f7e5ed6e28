import { Command } from 'commander';
import type { RegisterCommands, ExitHolder } from './base/command-context.js';
import { reportError, EXIT, type ExitCode } from './base/errors.js';
import type { Terminal } from './base/terminal.js';
import { addAccountCommand } from './commands/account.command.js';
import { addDoctorCommand } from './commands/doctor.command.js';
import { addFindCommand } from './commands/find.command.js';
import { addImportCommand } from './commands/import.command.js';
import { addUndoImportCommand } from './commands/undo-import.command.js';
import { addKeysCommands } from './commands/keys.commands.js';
import { addLoginCommand, addLogoutCommand } from './commands/login.commands.js';
import { addMcpCommands } from './commands/mcp.commands.js';
import { addRecordCommand } from './commands/record.command.js';
import { addSearchCommand } from './commands/search.command.js';
import { addStatusCommand } from './commands/status.command.js';
import { addWhoamiCommand } from './commands/whoami.command.js';
import { VERSION } from './version.js';

/** Every command, in the order of the help. */
const commands: readonly RegisterCommands[] = [
  addLoginCommand,
  addLogoutCommand,
  addWhoamiCommand,
  addStatusCommand,
  addDoctorCommand,
  addRecordCommand,
  addAccountCommand,
  addFindCommand,
  addSearchCommand,
  addImportCommand,
  addUndoImportCommand,
  addKeysCommands,
  addMcpCommands,
];

const EXIT_CODE_HELP = `
Exit codes:
  0 success         1 failure         2 usage error      3 not signed in    4 not found
  5 rejected        6 unreachable     7 partial success  8 ambiguous name   130 Ctrl-C

Settings, in order of precedence:
  address   --base-url, RAPPORT_BASE_URL, address saved by rapport login, http://localhost:3000
  key       RAPPORT_API_KEY, the file of RAPPORT_API_KEY_FILE, key saved by rapport login`;

/** Adds the commands of the client to a program. */
export function registerClientCommands(program: Command, terminal: Terminal, holder: ExitHolder = {}): void {
  for (const add of commands) add(program, terminal, holder);
}

/** Creates the commander program with all commands. */
export function createClientProgram(terminal: Terminal, holder: ExitHolder = {}): Command {
  const json = { on: false };
  const program = new Command('rapport')
    .description('Command line of Rapport, the context graph that sales agents act on')
    .version(VERSION, '--version', 'print the version')
    .option('--json', 'print the result as one JSON document, and errors as JSON on stderr', () => (json.on = true))
    .option('--base-url <url>', 'address of the hub; overrides the saved one')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => terminal.stdout.columns ?? 80,
      getErrHelpWidth: () => terminal.stderr.columns ?? 80,
      writeOut: text => void terminal.stdout.write(text),
      writeErr: text => void (json.on || terminal.stderr.write(text)),
    })
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', EXIT_CODE_HELP);
  registerClientCommands(program, terminal, holder);
  return program;
}

/** Runs one command line of the client and returns its exit code. @param args arguments after the program name */
export async function runClient(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const holder: ExitHolder = {};
  try {
    await createClientProgram(terminal, holder).parseAsync(args, { from: 'user' });
    return holder.context?.exitCode ?? EXIT.ok;
  } catch (error) {
    return reportError(error, terminal, holder.context?.json ?? args.includes('--json'));
  }
}
