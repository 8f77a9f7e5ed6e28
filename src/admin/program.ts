import { Command, CommanderError } from 'commander';
import { type AddAdminCommands, type AdminContext, toErrorDocument, describeError } from './admin-context.js';
import { HUB_PACKAGE } from '#kernel/version.js';

/** The command succeeded. */
const EXIT_OK = 0;
/** The command failed. */
const EXIT_FAILED = 1;
/** The command line is invalid. */
const EXIT_USAGE = 2;

const JSON_OPTION = '--json';

/**
 * Runs one command line of `rapport`.
 * @param args the arguments after the name of the program
 * @param groups commands below `admin`
 * @param others commands beside `admin`
 * @returns the exit code: 0 success, 1 failure, 2 invalid command line
 */
export async function runAdminProgram(
  args: readonly string[],
  groups: readonly AddAdminCommands[],
  context: AdminContext,
  others: readonly AddAdminCommands[] = [],
): Promise<number> {
  const json = args.includes(JSON_OPTION);
  const program = new Command('rapport')
    .description('The context graph that sales agents act on')
    .version(HUB_PACKAGE.version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: text => context.terminal.out(text.trimEnd()),
      writeErr: text => void (json || context.terminal.err(text.trimEnd())),
    })
    .showHelpAfterError('(add --help to see what is possible)');
  const admin = program
    .command('admin')
    .description('administration; uses the database directly: DATABASE_URL, or the embedded one in DATA_DIR');
  for (const addCommands of groups) addCommands(admin, context);
  for (const addCommands of others) addCommands(program, context);
  acceptJsonAnywhere(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT_OK;
  } catch (error) {
    const isUsage = error instanceof CommanderError;
    if (isUsage && error.exitCode === 0) return EXIT_OK;
    const code = isUsage ? EXIT_USAGE : EXIT_FAILED;
    if (json) context.terminal.err(JSON.stringify(toErrorDocument(error, code)));
    else if (!isUsage) context.terminal.err(describeError(error));
    return code;
  }
}

/** Accepts `--json` also before and between the words of a command. */
function acceptJsonAnywhere(program: Command): void {
  for (const group of listCommandGroups(program)) {
    if (!group.options.some(({ long }) => long === JSON_OPTION)) group.option(JSON_OPTION, 'print JSON');
  }
  program.hook('preAction', (_, action) => {
    if (action.optsWithGlobals()['json']) action.setOptionValue('json', true);
  });
}

function listCommandGroups(command: Command): Command[] {
  return command.commands.length === 0 ? [] : [command, ...command.commands.flatMap(listCommandGroups)];
}
