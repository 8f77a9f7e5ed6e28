import { confirm, isCancel } from '@clack/prompts';
import { action, type CommandContext, defineCommand, type RegisterCommands } from '../base/command-context.js';
import { CliError, EXIT } from '../base/errors.js';
import { formatFieldLines, isInteractive } from '../base/terminal.js';
import { followRun, readImport, type ShownImport, startUndo, type UndoCounts } from '../import/import-api.js';
import { createProgressReporter } from '../import/progress.js';

interface UndoOptions {
  readonly reason?: string;
  readonly dryRun?: true;
  readonly yes?: true;
}

/** Formats the counts of an undo. */
export function formatUndoCounts(counts: UndoCounts, isDryRun: boolean): string[] {
  const count = (value: number) => value.toLocaleString('en-US');
  return [
    ...(isDryRun ? ['A dry run: nothing was changed.'] : []),
    ...formatFieldLines({
      observations: count(counts.observations),
      ...(counts.notes > 0 && { notes: count(counts.notes) }),
      ...(counts.leads > 0 && { leads: count(counts.leads) }),
      'people and companies': `${count(counts.entities_removed)} removed`,
    }),
  ];
}

/** `undo-import` */
export const addUndoImportCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'undo-import',
    summary: 'take back everything that an import recorded',
    description:
      'Take back everything that an import recorded, as if it had never run: all claims return to what they were, and ' +
      'people and companies with nothing else known about them disappear. Leads that somebody has worked stay. ' +
      'Importing the file again restores it.',
    examples: ['rapport undo-import 9f86d081884c7d65 --dry-run', 'rapport undo-import 9f86d081884c7d65 --yes --json'],
  })
    .argument('<id>', 'ID of the import, which `rapport import` shows')
    .option('--reason <text>', 'why it is undone, shown with the retraction')
    .option('--dry-run', 'let the hub count what would be taken back, and change nothing')
    .option('-y, --yes', 'do not ask to confirm')
    .action(
      action(terminal, holder, async (context, id: string, { reason, yes, ...options }: UndoOptions) => {
        const dryRun = options.dryRun === true;
        const hub = await context.client();
        const shown = await readImport(hub, id);
        if (!yes && !dryRun) await confirmUndo(context, shown);
        const runId = await startUndo(hub, id, { dry_run: dryRun, reason });
        const counts = await awaitCounts(context, runId);
        const json = { import_id: id, run_id: runId, file: shown.file_name, dry_run: dryRun, ...counts };
        context.print(json, formatUndoCounts(counts, dryRun), EXIT.ok);
      }),
    );
};

/** Asks the user to confirm, unless the terminal is not interactive. */
async function confirmUndo({ terminal, json }: CommandContext, { file_name, created_at }: ShownImport): Promise<void> {
  if (json || !isInteractive(terminal)) return;
  const { stdin: input, stderr: output, signal } = terminal;
  const message = `Take back the import of ${file_name} (${created_at.slice(0, 10)})?`;
  const answer = await confirm({ message, input, output, signal, initialValue: false });
  if (isCancel(answer)) throw CliError.interrupted();
  if (!answer) throw CliError.usage('Nothing was taken back.', 'Use --dry-run to see what would be.');
}

/** Waits for the end of the run. @throws CliError if it fails or is stopped by somebody else */
async function awaitCounts(context: CommandContext, runId: string): Promise<UndoCounts> {
  const hub = await context.client();
  const reporter = createProgressReporter(context, 'taken back');
  try {
    const run = await followRun<UndoCounts>(hub, runId, context.terminal.signal, ({ progress }) =>
      reporter.update(null, progress.message ?? ''),
    );
    if (run.status === 'finished' && run.result) return run.result;
    const state = run.status === 'failed' ? `failed: ${run.error ?? 'unknown reason'}` : `was ${run.status}`;
    throw new CliError(EXIT.failed, `undo_${run.status}`, `The undo ${state}.`, {
      hint: 'Run the same command again to continue.',
    });
  } finally {
    reporter.end();
  }
}
