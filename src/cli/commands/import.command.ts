import path from 'node:path';
import { confirm, isCancel } from '@clack/prompts';
import { InvalidArgumentError } from 'commander';
import {
  pluralize,
  formatFieldLines,
  toPrintable,
  formatTableLines,
  isInteractive,
  printNotice,
} from '../base/terminal.js';
import {
  type DryRunResult,
  type ImportResult,
  type ImportPlan,
  countProcessedRows,
  readColumns,
  dryRunImport,
  runImport,
} from '../import/run-import.js';
import { type ImportColumn, describeTarget, hasIdentifier } from '../import/mapping.js';
import { type RegisterCommands, action, defineCommand, type CommandContext } from '../base/command-context.js';
import { CliError, EXIT } from '../base/errors.js';
import { inspectCsv } from '../import/csv-file.js';

/** Formats the mapping as a table. */
export function formatMapping(columns: readonly ImportColumn[]): string[] {
  const rows = columns.map(column => [toPrintable(column.header), describeTarget(column), column.from]);
  return formatTableLines(['COLUMN', 'BECOMES', 'WHY'], rows, 'There are no columns.').map(line => `  ${line}`);
}

/** Formats the result of a dry run. */
export function formatDryRun({ rows, batches, flawed, sample }: DryRunResult): string[] {
  return [
    `${pluralize(rows, 'row')} in ${pluralize(batches, 'request')}; nothing was sent.`,
    ...(flawed > 0
      ? [`${pluralize(flawed, 'line has', 'lines have')} more cells than the header, and would be rejected.`]
      : []),
    'The first rows:',
    ...sample.map(row => `  ${toPrintable(row)}`),
  ];
}

/** Formats the result of an import. */
export function formatImportResult(imported: ImportResult, { list, rejectsPath }: ImportPlan): string[] {
  const { created, matched, duplicate, rejected, resumedAt, batches, listId } = imported;
  const was = resumedAt === batches && batches > 0 ? 'This file was imported before; nothing was sent.' : undefined;
  const on =
    resumedAt > 0 && resumedAt < batches
      ? `Went on after ${pluralize(resumedAt, 'call')} of an earlier run.`
      : undefined;
  return [
    ...[was, on].filter(line => line !== undefined),
    ...formatFieldLines({
      rows: countProcessedRows(imported).toLocaleString('en-US'),
      new: created.toLocaleString('en-US'),
      known: matched.toLocaleString('en-US'),
      'in the list': `${duplicate.toLocaleString('en-US')} already`,
      rejected: rejected > 0 ? `${rejected.toLocaleString('en-US')}, with reasons in ${rejectsPath}` : '0',
      list: `${list}${listId === null ? '' : ` (${listId})`}`,
    }),
  ];
}

/** Builds the JSON document of an import or a dry run. */
export function toImportJson(plan: ImportPlan, outcome: ImportResult | (DryRunResult & { dry_run: true })): object {
  const { file, columns, list, rejectsPath } = plan;
  const mapping = Object.fromEntries(
    columns.map(({ header, target }) => [
      header,
      'field' in target ? target.field : 'extra' in target ? `fields.${target.extra}` : null,
    ]),
  );
  const about = { file: file.path, sha256: file.hash, list, mapping };
  if ('dry_run' in outcome) return { ...about, ...outcome };
  const { listId, created, matched, duplicate, rejected, batches, resumedAt } = outcome;
  return {
    ...about,
    list_id: listId,
    rows: countProcessedRows(outcome),
    created,
    matched,
    duplicate,
    rejected,
    rejected_file: rejected > 0 ? rejectsPath : null,
    calls: batches - resumedAt,
    resumed_after: resumedAt,
  };
}

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
export const addImportCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'import',
    summary: 'import people from a CSV file into a lead list',
    description:
      'Import people from a CSV file into a lead list. Columns are mapped to fields by their headers, and the mapping is ' +
      'shown; --map overrides it. Unknown columns are kept with the lead. Rejected rows are ' +
      'written to a file with the reason. If an import stops, the same command resumes it; repeating a finished import ' +
      'adds nothing.',
    examples: [
      'rapport import leads.csv --dry-run',
      'rapport import leads.csv --list "Webinar November" --map "Job=title" --map "Notes="',
      'rapport import leads.csv --json --yes',
    ],
  })
    .argument('<file>', 'CSV file with a header line; UTF-8')
    .option('--list <name>', 'the lead list, created if it does not exist; default: the file name')
    .option('--map <header=field>', 'maps a column to a field; "Header=" omits the column; repeatable', collectOption)
    .option('--source <source>', 'source of the facts', 'csv')
    .option('--delimiter <character>', 'column delimiter; default: detected')
    .option('--batch-size <rows>', 'rows per request, up to 1000', parseBatchSize, 500)
    .option('--rejects <file>', 'file for rejected rows; default: <name>.rejected.csv in the same folder')
    .option('--dry-run', 'read the file and show what would be sent, without contacting the hub')
    .option('--again', 'send all rows again, even if they were imported before')
    .option('-y, --yes', 'do not ask to confirm the mapping')
    .action(
      action(terminal, holder, async (context, file: string, options: ImportOptions) => {
        const plan = await buildImportPlan(file, options);
        const mappingLines = [`${plan.file.path} into the list "${plan.list}":`, ...formatMapping(plan.columns)];
        if (options.dryRun) {
          const dryRun = await dryRunImport(plan);
          return context.print(toImportJson(plan, { dry_run: true, ...dryRun }), [
            ...mappingLines,
            ...formatDryRun(dryRun),
          ]);
        }
        const hub = await context.client();
        if (!context.json) for (const line of mappingLines) printNotice(terminal, line);
        if (!options.yes) await confirmMapping(context);
        const imported = await runImport(context, hub, plan);
        const exit = imported.rejected > 0 ? EXIT.partly : EXIT.ok;
        context.print(toImportJson(plan, imported), formatImportResult(imported, plan), exit);
      }),
    );
};

async function buildImportPlan(given: string, options: ImportOptions): Promise<ImportPlan> {
  const { list, map = [], source, delimiter, batchSize, rejects, again = false } = options;
  const file = await inspectCsv(given, delimiter);
  const columns = await readColumns(file, map);
  if (!hasIdentifier(columns)) {
    const headers = columns.map(({ header }) => header).join(', ');
    const hint = `Map a column to an identifier: --map "Header=email", linkedin_url or domain. Columns: ${headers}.`;
    throw CliError.usage('No column identifies the person of a row.', hint);
  }
  const { dir, name } = path.parse(given);
  const rejectsPath = rejects ?? path.join(dir, `${name}.rejected.csv`);
  return { file, columns, list: list ?? name, source, batchSize, rejectsPath, again };
}

/** Asks the user to confirm the mapping, unless the terminal is not interactive. */
async function confirmMapping({ terminal, json }: CommandContext): Promise<void> {
  if (json || !isInteractive(terminal)) return;
  const { stdin: input, stderr: output, signal } = terminal;
  const answer = await confirm({ message: 'Import with this mapping?', input, output, signal });
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
