import path from 'node:path';
import { confirm, isCancel } from '@clack/prompts';
import { Option } from 'commander';
import { ApiClient } from '../api/api-client.js';
import { type RegisterCommands, action, defineCommand, type CommandContext } from '../base/command-context.js';
import { CliError, EXIT, isInterruption } from '../base/errors.js';
import { formatFieldLines, formatTableLines, isInteractive, printNotice, toPrintable } from '../base/terminal.js';
import { applyChoices, readColumnChoices } from '../import/column-choices.js';
import {
  followRun,
  type ImportPreview,
  type ImportRun,
  pauseRun,
  type PreviewColumn,
  saveReport,
  startImport,
  type StartBody,
  uploadFile,
} from '../import/import-api.js';
import { createProgressReporter } from '../import/progress.js';

const TARGETS = ['leads', 'people', 'companies', 'notes'];
const RECORD_SYSTEMS = ['hubspot', 'salesforce', 'pipedrive', 'apollo', 'attio'];
const MAX_EXAMPLE_LENGTH = 30;
/** How long the hub may take to start a run, in milliseconds. */
const START_TIMEOUT_MS = 30_000;
/** How long the hub may take to pause a run after Ctrl-C, in milliseconds. */
const PAUSE_TIMEOUT_MS = 5_000;

interface ImportOptions {
  readonly target: string;
  readonly list?: string;
  readonly map?: readonly string[];
  readonly recordSystem?: string;
  readonly dateOrder?: string;
  readonly decimal?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly headerLine?: string;
  readonly fileDate?: string;
  readonly sheet?: string;
  readonly rejects?: string;
  readonly dryRun?: true;
  readonly yes?: true;
}

/** A file that is about to be imported. */
interface ImportPlan {
  readonly file: string;
  readonly preview: ImportPreview;
  readonly columns: readonly PreviewColumn[];
  readonly body: StartBody;
  readonly rejectsPath: string;
}

/** Formats the mapping as a table. @param target what the rows become */
export function formatMapping(columns: readonly PreviewColumn[], target: string): string[] {
  const without = target === 'leads' ? '(kept with the lead)' : '(not imported)';
  const rows = columns.map(({ header, field, reason, examples }) => [
    toPrintable(header),
    field ?? without,
    toPrintable((examples[0] ?? '').slice(0, MAX_EXAMPLE_LENGTH)),
    reason,
  ]);
  const table = formatTableLines(['COLUMN', 'BECOMES', 'EXAMPLE', 'WHY'], rows, 'There are no columns.');
  return table.map(line => `  ${line}`);
}

/** Formats the counts of a run. */
export function formatCounts({ result, reported }: ImportRun, { preview, body, rejectsPath }: ImportPlan): string[] {
  const count = (value: number | undefined) => (value ?? 0).toLocaleString('en-US');
  const list = result?.list_id == null ? (body.list ?? '') : `${body.list ?? ''} (${result.list_id})`.trim();
  return [
    ...(body.dry_run ? ['A dry run: nothing was written.'] : []),
    ...formatFieldLines({
      rows: count(result?.rows),
      new: count(result?.created),
      known: count(result?.matched),
      ...(result?.leads !== undefined && { 'added to list': count(result.leads) }),
      ...(result?.notes && { notes: count(result.notes) }),
      rejected: reported > 0 ? `${count(reported)}, with reasons in ${rejectsPath}` : '0',
      ...(body.target === 'leads' && list !== '' && { list }),
      ...(!body.dry_run && { 'to undo': `rapport undo-import ${preview.id}` }),
    }),
  ];
}

/** Builds the JSON document of an import or a dry run. */
export function toImportJson({ file, preview, columns, body, rejectsPath }: ImportPlan, run: ImportRun): object {
  return {
    file,
    import_id: preview.id,
    run_id: run.id,
    status: run.status,
    dry_run: body.dry_run,
    target: body.target,
    mapping: columns.map(({ index, header, field }) => ({ index, header, field })),
    ...run.result,
    rejected_file: run.reported > 0 ? rejectsPath : null,
  };
}

/** `import` */
export const addImportCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'import',
    summary: 'import people, companies or notes from a CSV file or Excel workbook',
    description:
      'Import a CSV file or an Excel workbook: people into a lead list, or as people, companies or notes. The hub detects encoding, delimiter, ' +
      'header and what the columns state; the mapping is shown, and --map overrides it. Rejected rows are written to a ' +
      'file with the reason. Ctrl-C pauses the import, and the same command resumes it; repeating a finished import ' +
      'changes nothing.',
    examples: [
      'rapport import leads.csv --dry-run',
      'rapport import leads.csv --list "Webinar November" --map "Job=title" --map "Notes="',
      'rapport import hubspot.csv --target people --record-system hubspot --json --yes',
    ],
  })
    .argument('<file>', 'CSV file of up to 1 GB, in any common encoding, or Excel workbook (.xlsx) of up to 100 MB')
    .addOption(new Option('--target <target>', 'what the rows become').choices(TARGETS).default('leads'))
    .option('--list <name>', 'the lead list, created if it does not exist; default: the file name')
    .option(
      '--map <header=field>',
      'maps a column to a field; "Header=" omits it, "#3=field" names its place; repeatable',
      collectOption,
    )
    .addOption(
      new Option('--record-system <system>', 'system of the record IDs, which then identify people').choices(
        RECORD_SYSTEMS,
      ),
    )
    .addOption(
      new Option('--date-order <order>', 'order of dates such as 03/04/2025').choices(['day_first', 'month_first']),
    )
    .addOption(new Option('--decimal <sign>', 'decimal sign of numbers; default: detected').choices([',', '.']))
    .option('--encoding <encoding>', 'encoding of the file, such as windows-1250; default: detected')
    .option('--delimiter <character>', 'column delimiter, or "tab"; default: detected')
    .option('--header-line <line>', 'line of the header, 0 for none; default: detected')
    .option('--sheet <name>', 'sheet of an Excel workbook; default: the first visible one')
    .option('--file-date <date>', 'time at which the rows were true; default: now')
    .option('--rejects <file>', 'file for rejected rows; default: <name>.rejected.csv in the same folder')
    .option('--dry-run', 'let the hub count what the import would do, and record nothing')
    .option('-y, --yes', 'do not ask to confirm the mapping')
    .action(
      action(terminal, holder, async (context, file: string, options: ImportOptions) => {
        const hub = await context.client();
        const plan = await uploadAndPlan(context, hub, file, options);
        if (!context.json) for (const line of describePlan(plan)) printNotice(terminal, line);
        if (!options.yes && !options.dryRun) await confirmMapping(context);
        const run = await runImport(context, hub, plan);
        if (run.reported > 0) await saveReport(hub, run.id, plan.rejectsPath);
        context.print(toImportJson(plan, run), formatCounts(run, plan), run.reported > 0 ? EXIT.partly : EXIT.ok);
      }),
    );
};

async function uploadAndPlan(
  context: CommandContext,
  hub: ApiClient,
  file: string,
  options: ImportOptions,
): Promise<ImportPlan> {
  const { target, list, map = [], rejects, dryRun = false } = options;
  const { encoding, delimiter, headerLine, fileDate, sheet, dateOrder, decimal, recordSystem } = options;
  const reporter = createProgressReporter(context, 'uploaded');
  const query = { encoding, delimiter, header_line: headerLine, file_date: fileDate, sheet };
  const preview = await uploadFile(hub, file, query, share => reporter.update(share)).catch((error: unknown) => {
    reporter.end();
    throw error;
  });
  reporter.end();
  const choices = readColumnChoices(map, preview.mapping.columns);
  const { dir, name } = path.parse(file);
  return {
    file,
    preview,
    columns: applyChoices(preview.mapping.columns, choices),
    rejectsPath: rejects ?? path.join(dir, `${name}.rejected.csv`),
    body: {
      target,
      // The hub refuses a list for other targets, and says why.
      list: target === 'leads' ? (list ?? name) : list,
      columns: choices,
      date_order: dateOrder,
      decimal,
      record_system: recordSystem,
      dry_run: dryRun,
    },
  };
}

function describePlan({ file, preview, columns, body }: ImportPlan): string[] {
  const { encoding, delimiter, header_line } = preview.dialect;
  const goal = body.target === 'leads' ? `into the list "${body.list}"` : `as ${body.target}`;
  const header = header_line === null ? 'no header' : `header in line ${header_line}`;
  return [
    `${file} ${goal} (${encoding}, delimiter ${delimiter === '\t' ? 'tab' : delimiter}, ${header}):`,
    ...formatMapping(columns, body.target),
  ];
}

/** Asks the user to confirm the mapping, unless the terminal is not interactive. */
async function confirmMapping({ terminal, json }: CommandContext): Promise<void> {
  if (json || !isInteractive(terminal)) return;
  const { stdin: input, stderr: output, signal } = terminal;
  const answer = await confirm({ message: 'Import with this mapping?', input, output, signal });
  if (isCancel(answer)) throw CliError.interrupted();
  if (!answer) throw CliError.usage('Nothing was imported.', 'Correct the mapping with --map.');
}

/** Starts a run and waits for its end. Ctrl-C pauses it. @throws CliError if it fails or is stopped by somebody else */
async function runImport(context: CommandContext, hub: ApiClient, { preview, body }: ImportPlan): Promise<ImportRun> {
  const { signal } = context.terminal;
  if (signal.aborted) throw CliError.interrupted();
  // Ctrl-C does not end this call: a run whose ID is unknown could not be paused.
  const starter = new ApiClient(hub.settings, AbortSignal.timeout(START_TIMEOUT_MS));
  const started = await startImport(starter, preview.id, body);
  const reporter = createProgressReporter(context, body.dry_run ? 'read' : 'imported');
  const show = ({ progress: { done, total, message } }: ImportRun) =>
    reporter.update(total ? done / total : 0, message ?? '');
  try {
    const run = await followRun(hub, started.id, signal, show);
    if (run.status === 'finished') return run;
    const state = run.status === 'failed' ? `failed: ${run.error ?? 'unknown reason'}` : `was ${run.status}`;
    throw new CliError(EXIT.failed, `import_${run.status}`, `The import ${state}.`, {
      hint: 'Run the same command again to continue.',
    });
  } catch (error) {
    if (!isInterruption(error)) throw error;
    throw await pauseAndExplain(hub, started.id);
  } finally {
    reporter.end();
  }
}

/** Pauses a run, and returns the error that says whether it stands still. */
async function pauseAndExplain(hub: ApiClient, runId: string): Promise<CliError> {
  try {
    await pauseRun(new ApiClient(hub.settings, AbortSignal.timeout(PAUSE_TIMEOUT_MS)), runId);
    return CliError.interrupted('The import is paused.', 'Run the same command again to resume it.');
  } catch {
    const message = 'Interrupted. The import could not be paused and may go on at the hub.';
    return CliError.interrupted(message, 'Run the same command again to see its progress.');
  }
}

function collectOption(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
