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

/** An import as it was asked for. */
export interface ImportPlan {
  readonly file: CsvFile;
  readonly columns: readonly ImportColumn[];
  readonly list: string;
  readonly source: string;
  readonly batchSize: number;
  readonly rejectsPath: string;
  /** Send everything anew, whatever was done before. */
  readonly again: boolean;
}

/** What came of it. */
export interface ImportResult extends ImportProgress {
  /** Batches that an earlier run had done. */
  readonly resumedAt: number;
}

/** Sends a file batch by batch, noting after each how far it has come. */
export async function runImport(desk: CommandContext, hub: ApiClient, plan: ImportPlan): Promise<ImportResult> {
  const { file, columns, list, source, batchSize } = plan;
  const name = buildCheckpointName({ fileHash: file.hash, mapping: columns, list, source, batchSize });
  const journal = new CheckpointFile(desk.terminal.env, name, hub.settings);
  const left = plan.again ? INITIAL_PROGRESS : await journal.read();
  if (left.finished) return { ...left, resumedAt: left.batches };
  const rejects = new RejectsFile(
    plan.rejectsPath,
    columns.map(({ header }) => header),
  );
  await rejects.resume(left.rejectedBytes);
  const meter = createProgressReporter(desk);
  let progress = left;
  try {
    for await (const batch of readBatches(file, columns, batchSize)) {
      if (batch.index < left.batches) continue;
      const sent = await sendBatch(hub, batch, { name, list, source });
      const rejectedBytes = await rejects.add(sent.rejects, progress.rejectedBytes);
      progress = { ...addBatch(progress, sent), batches: batch.index + 1, rejectedBytes };
      await journal.write(progress);
      meter.update(batch.bytes / file.bytes, countProcessedRows(progress));
    }
  } catch (error) {
    meter.fail('Stopped');
    throw withResumeHint(error);
  }
  progress = { ...progress, finished: true };
  await journal.write(progress);
  meter.end('Imported');
  return { ...progress, resumedAt: left.batches };
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

/** Rows that were dealt with. */
export function countProcessedRows({ created, matched, duplicate, rejected }: ImportProgress): number {
  return created + matched + duplicate + rejected;
}

/** What is done is done: the same command goes on from there. */
function withResumeHint(error: unknown): unknown {
  if (!(error instanceof CliError) || (error.exitCode !== EXIT.interrupted && error.exitCode !== EXIT.unreachable))
    return error;
  const hint = 'Run the same command again: it goes on where it stopped.';
  return new CliError(error.exitCode, error.code, error.message, { ...error.facts, hint });
}
