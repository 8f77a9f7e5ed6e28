import type { Desk } from '../base/desk.js';
import { CliError, EXIT } from '../base/exit.js';
import type { Hub } from '../hub/hub.js';
import { batchesOf } from './batches.js';
import type { CsvFile } from './csv-file.js';
import { BEGINNING, Journal, nameOf, type Progress } from './journal.js';
import type { Column } from './mapping.js';
import { meterFor } from './meter.js';
import { Rejects } from './rejects.js';
import { sendBatch, type Sent } from './send-batch.js';

/** An import as it was asked for. */
export interface ImportPlan {
  readonly file: CsvFile;
  readonly columns: readonly Column[];
  readonly list: string;
  readonly source: string;
  readonly batchSize: number;
  readonly rejectsPath: string;
  /** Send everything anew, whatever was done before. */
  readonly again: boolean;
}

/** What came of it. */
export interface Imported extends Progress {
  /** Batches that an earlier run had done. */
  readonly resumedAt: number;
}

/** Sends a file batch by batch, noting after each how far it has come. */
export async function runImport(desk: Desk, hub: Hub, plan: ImportPlan): Promise<Imported> {
  const { file, columns, list, source, batchSize } = plan;
  const name = nameOf({ fileHash: file.hash, mapping: columns, list, source, batchSize });
  const journal = new Journal(desk.terminal.env, name, hub.settings);
  const left = plan.again ? BEGINNING : await journal.read();
  if (left.finished) return { ...left, resumedAt: left.batches };
  const rejects = new Rejects(
    plan.rejectsPath,
    columns.map(({ header }) => header),
  );
  await rejects.resume(left.rejectedBytes);
  const meter = meterFor(desk);
  let progress = left;
  try {
    for await (const batch of batchesOf(file, columns, batchSize)) {
      if (batch.index < left.batches) continue;
      const sent = await sendBatch(hub, batch, { name, list, source });
      const rejectedBytes = await rejects.add(sent.rejects, progress.rejectedBytes);
      progress = { ...sum(progress, sent), batches: batch.index + 1, rejectedBytes };
      await journal.write(progress);
      meter.at(batch.bytes / file.bytes, rowsIn(progress));
    }
  } catch (error) {
    meter.fail('Stopped');
    throw resumable(error);
  }
  progress = { ...progress, finished: true };
  await journal.write(progress);
  meter.end('Imported');
  return { ...progress, resumedAt: left.batches };
}

function sum(progress: Progress, sent: Sent): Progress {
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
export function rowsIn({ created, matched, duplicate, rejected }: Progress): number {
  return created + matched + duplicate + rejected;
}

/** What is done is done: the same command goes on from there. */
function resumable(error: unknown): unknown {
  if (!(error instanceof CliError) || (error.exit !== EXIT.interrupted && error.exit !== EXIT.unreachable))
    return error;
  const hint = 'Run the same command again: it goes on where it stopped.';
  return new CliError(error.exit, error.code, error.message, { ...error.facts, hint });
}
