import { Command, CommanderError } from 'commander';
import type { AddCommands, Office } from './admin-command.js';
import { failureOf, sentenceOf } from './failure.js';

/** Every command went well. */
const OK = 0;
/** The command was understood, but failed. */
const FAILED = 1;
/** The command line was not understood. */
const USAGE = 2;

const JSON_OPTION = '--json';

/**
 * Runs one command line of `rapport`.
 * @param words what follows the name of the program
 * @param groups commands below `admin`
 * @param others commands beside `admin`
 * @returns the exit code: 0 well, 1 failed, 2 not understood
 */
export async function runProgram(
  words: readonly string[],
  groups: readonly AddCommands[],
  office: Office,
  others: readonly AddCommands[] = [],
): Promise<number> {
  const json = words.includes(JSON_OPTION);
  const program = new Command('rapport')
    .description('The context graph that sales agents act on')
    .exitOverride()
    .configureOutput({
      writeOut: text => office.terminal.out(text.trimEnd()),
      writeErr: text => void (json || office.terminal.err(text.trimEnd())),
    })
    .showHelpAfterError('(add --help to see what is possible)');
  const admin = program
    .command('admin')
    .description('administration; talks to the database: DATABASE_URL, or the embedded one in DATA_DIR');
  for (const addCommands of groups) addCommands(admin, office);
  for (const addCommands of others) addCommands(program, office);
  takeJsonAnywhere(program);
  try {
    await program.parseAsync(words, { from: 'user' });
    return OK;
  } catch (error) {
    const isUsage = error instanceof CommanderError;
    if (isUsage && error.exitCode === 0) return OK;
    const code = isUsage ? USAGE : FAILED;
    if (json) office.terminal.err(JSON.stringify(failureOf(error, code)));
    else if (!isUsage) office.terminal.err(sentenceOf(error));
    return code;
  }
}

/** `--json` before or between the words of a command means what it means behind them. */
function takeJsonAnywhere(program: Command): void {
  for (const group of groupsOf(program)) {
    if (!group.options.some(({ long }) => long === JSON_OPTION)) group.option(JSON_OPTION, 'print JSON');
  }
  program.hook('preAction', (_, action) => {
    if (action.optsWithGlobals()['json']) action.setOptionValue('json', true);
  });
}

function groupsOf(command: Command): Command[] {
  return command.commands.length === 0 ? [] : [command, ...command.commands.flatMap(groupsOf)];
}
