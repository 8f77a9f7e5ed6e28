import type { CommandContext } from '../base/command-context.js';
import { CliError, EXIT } from '../base/exit.js';
import type { ApiClient } from '../api/api-client.js';
import { readBatches } from './batches.js';
import type { CsvFile } from './csv-file.js';
import { INITIAL_PROGRESS, CheckpointFile, buildCheckpointName, type ImportProgress } from './checkpoint.js';
import type { ImportColumn } from './mapping.js';
import { createProgressReporter } from './progress.js';
import { RejectsFile } from './rejects.js';
import { sendBatch, type BatchResult } from './send-batch.js';

/** Parameters of an import. */
export interface ImportPlan {
  readonly file: CsvFile;
  readonly columns: readonly ImportColumn[];
  readonly list: string;
  readonly source: string;
  readonly batchSize: number;
  readonly rejectsPath: string;
  /** Ignores the checkpoint and sends everything again. */
  readonly again: boolean;
}

/** Result of an import. */
export interface ImportResult extends ImportProgress {
  /** Number of batches finished by an earlier run. */
  readonly resumedAt: number;
}

/** Sends a file batch by batch and saves a checkpoint after each. @throws CliError with a hint to resume */
export async function runImport(context: CommandContext, hub: ApiClient, plan: ImportPlan): Promise<ImportResult> {
  const { file, columns, list, source, batchSize } = plan;
  const name = buildCheckpointName({ fileHash: file.hash, mapping: columns, list, source, batchSize });
  const checkpoint = new CheckpointFile(context.terminal.env, name, hub.settings);
  const previous = plan.again ? INITIAL_PROGRESS : await checkpoint.read();
  if (previous.finished) return { ...previous, resumedAt: previous.batches };
  const rejects = new RejectsFile(
    plan.rejectsPath,
    columns.map(({ header }) => header),
  );
  await rejects.resume(previous.rejectedBytes);
  const reporter = createProgressReporter(context);
  let progress = previous;
  try {
    for await (const batch of readBatches(file, columns, batchSize)) {
      if (batch.index < previous.batches) continue;
      const sent = await sendBatch(hub, batch, { name, list, source });
      const rejectedBytes = await rejects.add(sent.rejects, progress.rejectedBytes);
      progress = { ...addBatch(progress, sent), batches: batch.index + 1, rejectedBytes };
      await checkpoint.write(progress);
      reporter.update(batch.bytes / file.bytes, countProcessedRows(progress));
    }
  } catch (error) {
    reporter.fail('Stopped');
    throw withResumeHint(error);
  }
  progress = { ...progress, finished: true };
  await checkpoint.write(progress);
  reporter.end('Imported');
  return { ...progress, resumedAt: previous.batches };
}

function addBatch(progress: ImportProgress, sent: BatchResult): ImportProgress {
  return {
    ...progress,
    listId: sent.listId ?? progress.listId,
    created: progress.created + sent.created,
    matched: progress.matched + sent.matched,
    duplicate: progress.duplicate + sent.duplicate,
    rejected: progress.rejected + sent.rejects.length,
  };
}

/** Returns the number of processed rows. */
export function countProcessedRows({ created, matched, duplicate, rejected }: ImportProgress): number {
  return created + matched + duplicate + rejected;
}

/** Adds the hint that the same command resumes the import. */
function withResumeHint(error: unknown): unknown {
  if (!(error instanceof CliError) || (error.exitCode !== EXIT.interrupted && error.exitCode !== EXIT.unreachable))
    return error;
  const hint = 'Run the same command again to resume the import.';
  return new CliError(error.exitCode, error.code, error.message, { ...error.facts, hint });
}
