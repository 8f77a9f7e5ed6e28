import path from 'node:path';
import { confirm, isCancel } from '@clack/prompts';
import { InvalidArgumentError } from 'commander';
import { type RegisterCommands, action, defineCommand, type CommandContext } from '../base/command-context.js';
import { CliError, EXIT } from '../base/exit.js';
import { isInteractive, printNotice } from '../base/terminal.js';
import { readColumns } from '../import/batches.js';
import { inspectCsv } from '../import/csv-file.js';
import { hasIdentifier } from '../import/row.js';
import { dryRunImport } from '../import/dry-run.js';
import { type ImportPlan, runImport } from '../import/run-import.js';
import { toImportJson, formatImportResult, formatMapping, formatDryRun } from './import.format.js';

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
export const addImportCommand: RegisterCommands = (program, terminal, seat) => {
  defineCommand(program, {
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
    .option('--map <header=field>', 'what a column is; "Header=" leaves it out; may be repeated', collectOption)
    .option('--source <source>', 'where the facts come from', 'csv')
    .option('--delimiter <character>', 'what stands between cells; default: guessed')
    .option('--batch-size <rows>', 'rows in one call, up to 1000', parseBatchSize, 500)
    .option('--rejects <file>', 'where rejected rows go; default: beside the file, <name>.rejected.csv')
    .option('--dry-run', 'read the file and show what would be sent; the hub is not asked')
    .option('--again', 'send everything anew, also what was done before')
    .option('-y, --yes', 'do not ask whether the mapping is right')
    .action(
      action(terminal, seat, async (desk, file: string, options: ImportOptions) => {
        const plan = await buildImportPlan(file, options);
        const shown = [`${plan.file.path} into the list "${plan.list}":`, ...formatMapping(plan.columns)];
        if (options.dryRun) {
          const seen = await dryRunImport(plan);
          return desk.print(toImportJson(plan, { dry_run: true, ...seen }), [...shown, ...formatDryRun(seen)]);
        }
        const hub = await desk.client();
        if (!desk.json) for (const line of shown) printNotice(terminal, line);
        if (!options.yes) await confirmMapping(desk);
        const imported = await runImport(desk, hub, plan);
        const exit = imported.rejected > 0 ? EXIT.partly : EXIT.ok;
        desk.print(toImportJson(plan, imported), formatImportResult(imported, plan), exit);
      }),
    );
};

async function buildImportPlan(given: string, options: ImportOptions): Promise<ImportPlan> {
  const { list, map = [], source, delimiter, batchSize, rejects, again = false } = options;
  const file = await inspectCsv(given, delimiter);
  const columns = await readColumns(file, map);
  if (!hasIdentifier(columns)) {
    const headers = columns.map(({ header }) => header).join(', ');
    const hint = `Say which column tells: --map "Header=email", linkedin_url or domain. Columns: ${headers}.`;
    throw CliError.usage('No column tells whom a row is about.', hint);
  }
  const { dir, name } = path.parse(given);
  const rejectsPath = rejects ?? path.join(dir, `${name}.rejected.csv`);
  return { file, columns, list: list ?? name, source, batchSize, rejectsPath, again };
}

/** Asks a person; without one the command line has said what it wants. */
async function confirmMapping({ terminal, json }: CommandContext): Promise<void> {
  if (json || !isInteractive(terminal)) return;
  const { stdin: input, stderr: output, signal } = terminal;
  const answer = await confirm({ message: 'Import it like this?', input, output, signal });
  if (isCancel(answer)) throw CliError.interrupted();
  if (!answer) throw CliError.usage('Nothing was imported.', 'Correct the mapping with --map.');
}

function collectOption(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function parseBatchSize(text: string): number {
  if (/^([1-9]\d{0,2}|1000)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 1000.');
}
