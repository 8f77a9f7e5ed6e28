import path from 'node:path';
import { confirm, isCancel } from '@clack/prompts';
import { InvalidArgumentError } from 'commander';
import { type AddCommands, at, declare, type Desk } from '../base/desk.js';
import { CliError, EXIT } from '../base/exit.js';
import { isInteractive, say } from '../base/terminal.js';
import { columnsOf } from '../import/batches.js';
import { inspect } from '../import/csv-file.js';
import { canIdentify } from '../import/row.js';
import { rehearse } from '../import/rehearse.js';
import { type ImportPlan, runImport } from '../import/run-import.js';
import { dataOf, linesOfImport, linesOfMapping, linesOfRehearsal } from './import.lines.js';

interface ImportOptions {
  readonly list?: string;
  readonly map?: readonly string[];
  readonly source: string;
  readonly delimiter?: string;
  readonly batchSize: number;
  readonly rejects?: string;
  readonly dryRun?: true;
  readonly again?: true;
  readonly yes?: true;
}

/** `import` */
export const addImportCommand: AddCommands = (program, terminal, seat) => {
  declare(program, {
    name: 'import',
    summary: 'import people from a CSV file into a lead list',
    description:
      'Import people from a CSV file into a lead list. What the columns mean is guessed from their headers and shown; ' +
      '--map corrects it. Columns that mean nothing known are kept with the lead. Rows that the hub does not take are ' +
      'written to a file with the reason. An import that stopped goes on when the same command runs again, and one that ' +
      'is done adds nothing.',
    examples: [
      'rapport import leads.csv --dry-run',
      'rapport import leads.csv --list "Webinar November" --map "Job=title" --map "Notes="',
      'rapport import leads.csv --json --yes',
    ],
  })
    .argument('<file>', 'CSV file with a header line; UTF-8')
    .option('--list <name>', 'the lead list, made if need be; default: the name of the file')
    .option('--map <header=field>', 'what a column is; "Header=" leaves it out; may be repeated', collected)
    .option('--source <source>', 'where the facts come from', 'csv')
    .option('--delimiter <character>', 'what stands between cells; default: guessed')
    .option('--batch-size <rows>', 'rows in one call, up to 1000', upToThousand, 500)
    .option('--rejects <file>', 'where rejected rows go; default: beside the file, <name>.rejected.csv')
    .option('--dry-run', 'read the file and show what would be sent; the hub is not asked')
    .option('--again', 'send everything anew, also what was done before')
    .option('-y, --yes', 'do not ask whether the mapping is right')
    .action(
      at(terminal, seat, async (desk, file: string, options: ImportOptions) => {
        const plan = await planOf(file, options);
        const shown = [`${plan.file.path} into the list "${plan.list}":`, ...linesOfMapping(plan.columns)];
        if (options.dryRun) {
          const seen = await rehearse(plan);
          return desk.answer(dataOf(plan, { dry_run: true, ...seen }), [...shown, ...linesOfRehearsal(seen)]);
        }
        const hub = await desk.hub();
        if (!desk.json) for (const line of shown) say(terminal, line);
        if (!options.yes) await agree(desk);
        const imported = await runImport(desk, hub, plan);
        const exit = imported.rejected > 0 ? EXIT.partly : EXIT.ok;
        desk.answer(dataOf(plan, imported), linesOfImport(imported, plan), exit);
      }),
    );
};

async function planOf(given: string, options: ImportOptions): Promise<ImportPlan> {
  const { list, map = [], source, delimiter, batchSize, rejects, again = false } = options;
  const file = await inspect(given, delimiter);
  const columns = await columnsOf(file, map);
  if (!canIdentify(columns)) {
    const headers = columns.map(({ header }) => header).join(', ');
    const hint = `Say which column tells: --map "Header=email", linkedin_url or domain. Columns: ${headers}.`;
    throw CliError.usage('No column tells whom a row is about.', hint);
  }
  const { dir, name } = path.parse(given);
  const rejectsPath = rejects ?? path.join(dir, `${name}.rejected.csv`);
  return { file, columns, list: list ?? name, source, batchSize, rejectsPath, again };
}

/** Asks a person; without one the command line has said what it wants. */
async function agree({ terminal, json }: Desk): Promise<void> {
  if (json || !isInteractive(terminal)) return;
  const { stdin: input, stderr: output, signal } = terminal;
  const answer = await confirm({ message: 'Import it like this?', input, output, signal });
  if (isCancel(answer)) throw CliError.interrupted();
  if (!answer) throw CliError.usage('Nothing was imported.', 'Correct the mapping with --map.');
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function upToThousand(text: string): number {
  if (/^([1-9]\d{0,2}|1000)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 1000.');
}
