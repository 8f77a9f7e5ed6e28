import { Command } from 'commander';
import type { RegisterCommands, ExitHolder } from './base/command-context.js';
import { reportError } from './base/errors.js';
import { EXIT, type ExitCode } from './base/exit.js';
import type { Terminal } from './base/terminal.js';
import { addAccountCommand } from './commands/account.command.js';
import { addDoctorCommand } from './commands/doctor.command.js';
import { addImportCommand } from './commands/import.command.js';
import { addKeysCommands } from './commands/keys.commands.js';
import { addLoginCommand } from './commands/login.command.js';
import { addLogoutCommand } from './commands/logout.command.js';
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
  addSearchCommand,
  addImportCommand,
  addKeysCommands,
  addMcpCommands,
];

const EXIT_CODE_HELP = `
Exit codes:
  0 done            1 failed          2 not understood   3 not signed in    4 not found
  5 refused         6 unreachable     7 done in part     8 ambiguous name   130 Ctrl-C

Settings, the first one that is there:
  address   --base-url, RAPPORT_BASE_URL, what rapport login saved, http://localhost:3000
  key       RAPPORT_API_KEY, what rapport login saved`;

/** The commands of the client, ready to be added to a program. */
export function registerClientCommands(program: Command, terminal: Terminal, seat: ExitHolder = {}): void {
  for (const add of commands) add(program, terminal, seat);
}

/** The whole command line as a program of commander's. */
export function createClientProgram(terminal: Terminal, seat: ExitHolder = {}): Command {
  const json = { on: false };
  const program = new Command('rapport')
    .description('The context graph that sales agents act on: its command line')
    .version(VERSION, '--version', 'print the version')
    .option('--json', 'print the answer as one JSON document; errors too, on stderr', () => (json.on = true))
    .option('--base-url <url>', 'address of the hub, instead of the saved one')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => terminal.stdout.columns ?? 80,
      getErrHelpWidth: () => terminal.stderr.columns ?? 80,
      writeOut: text => void terminal.stdout.write(text),
      writeErr: text => void (json.on || terminal.stderr.write(text)),
    })
    .showHelpAfterError('(add --help to see what is possible)')
    .addHelpText('after', EXIT_CODE_HELP);
  registerClientCommands(program, terminal, seat);
  return program;
}

/** Runs one command line of the client. @param words what follows the name of the program */
export async function runClient(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const seat: ExitHolder = {};
  try {
    await createClientProgram(terminal, seat).parseAsync(words, { from: 'user' });
    return seat.context?.exitCode ?? EXIT.ok;
  } catch (error) {
    return reportError(error, terminal, seat.context?.json ?? words.includes('--json'));
  }
}
