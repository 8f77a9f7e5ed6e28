import { CliError, EXIT } from '../base/errors.js';
import { type CsvFile, type CsvLine, readCsvLines } from './csv-file.js';
import { type ImportColumn, mapColumns, validateShape, type ImportRow, toImportRow } from './mapping.js';
import { type ApiClient, toCliError } from '../api/api-client.js';
import { type RejectedRow, RejectsFile } from './rejects.js';
import type { CommandContext } from '../base/command-context.js';
import { INITIAL_PROGRESS, CheckpointFile, buildCheckpointName, type ImportProgress } from './checkpoint.js';
import { createProgressReporter } from './progress.js';

/** Maximum size of a request, well below the limit of the hub. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** A row of the file, with its problem if it is malformed. */
export interface CsvRow {
  readonly line: CsvLine;
  readonly row: ImportRow;
  readonly flaw?: string;
}

/** Rows of one request. The same file, mapping and batch size always give the same batches. */
export interface ImportBatch {
  /** From 0. */
  readonly index: number;
  readonly rows: readonly CsvRow[];
  /** Bytes of the file up to its end. */
  readonly bytes: number;
}

/** Reads the header of a file and maps its columns. @throws CliError if there is no header */
export async function readColumns(file: CsvFile, given: readonly string[]): Promise<ImportColumn[]> {
  for await (const { cells } of readCsvLines(file))
    return mapColumns(
      cells.map(cell => cell.trim()),
      given,
    );
  throw new CliError(EXIT.failed, 'empty_file', `${file.path} has no line.`, {
    hint: 'Its first line names the columns.',
  });
}

/** Splits a file into batches of at most `size` rows and 4 MB. */
export async function* readBatches(
  file: CsvFile,
  columns: readonly ImportColumn[],
  size: number,
): AsyncGenerator<ImportBatch> {
  let rows: CsvRow[] = [];
  let weight = 0;
  let index = 0;
  let isHeader = true;
  for await (const line of readCsvLines(file)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const read = toCsvRow(line, columns);
    const heavy = JSON.stringify(read.row).length;
    if (rows.length === size || (rows.length > 0 && weight + heavy > MAX_BATCH_BYTES)) {
      yield { index: index++, rows, bytes: rows.at(-1)!.line.bytes };
      rows = [];
      weight = 0;
    }
    rows.push(read);
    weight += heavy;
  }
  if (rows.length > 0) yield { index, rows, bytes: rows.at(-1)!.line.bytes };
}

function toCsvRow(line: CsvLine, columns: readonly ImportColumn[]): CsvRow {
  const flaw = validateShape(line.cells, columns);
  return { line, row: toImportRow(line.cells, columns), ...(flaw !== undefined && { flaw }) };
}

const PATH = '/v2/leads/bulk';

/** Result of a batch. */
export interface BatchResult {
  readonly listId: string | null;
  readonly created: number;
  readonly matched: number;
  readonly duplicate: number;
  readonly rejects: readonly RejectedRow[];
}

interface BulkLeadsResponse {
  readonly list_id: string;
  readonly results: readonly {
    readonly index: number;
    readonly status: 'created' | 'matched' | 'duplicate' | 'ambiguous' | 'invalid';
    readonly error?: {
      readonly error: string;
      readonly detail?: string;
      readonly details?: readonly { readonly field?: string; readonly message?: string }[];
    };
  }[];
}

/**
 * Sends a batch. Its idempotency key deduplicates it after a lost response or in a second run.
 * @param name of the import @throws CliError if the hub rejects the whole batch
 */
export async function sendBatch(
  hub: ApiClient,
  { index, rows }: ImportBatch,
  { name, list, source }: { readonly name: string; readonly list: string; readonly source: string },
): Promise<BatchResult> {
  const validRows = rows.filter(({ flaw }) => flaw === undefined);
  const malformed = rows
    .filter(({ flaw }) => flaw !== undefined)
    .map(read => toRejectedRow(read, 'bad_shape', read.flaw!));
  if (validRows.length === 0) return { listId: null, created: 0, matched: 0, duplicate: 0, rejects: malformed };
  const { status, body } = await hub.send('POST', PATH, {
    body: { list, source, leads: validRows.map(({ row }) => row) },
    idempotencyKey: `${name}-${index}`,
  });
  if (status < 200 || status > 299) throw toCliError(status, body, `POST ${PATH}`);
  const { list_id: listId, results } = body as BulkLeadsResponse;
  const of = (status: string) => results.filter(result => result.status === status).length;
  const refused = results.flatMap(({ index, error }) => {
    if (!error) return [];
    const reasons = (error.details ?? []).map(({ field, message }) => `${field}: ${message}`).join(' ');
    return [toRejectedRow(validRows[index]!, error.error, reasons || (error.detail ?? error.error))];
  });
  const rejects = [...malformed, ...refused].sort((a, b) => a.line - b.line);
  return { listId, created: of('created'), matched: of('matched'), duplicate: of('duplicate'), rejects };
}

function toRejectedRow({ line }: CsvRow, error: string, reason: string): RejectedRow {
  return { line: line.number, error, reason, cells: line.cells };
}

/** Result of a dry run, which does not contact the hub. */
export interface DryRunResult {
  readonly rows: number;
  readonly batches: number;
  /** Number of malformed lines. */
  readonly flawed: number;
  /** Up to 3 rows as they would be sent. */
  readonly sample: readonly object[];
}

const SAMPLE_SIZE = 3;

/** Reads the whole file and counts rows and batches. */
export async function dryRunImport({ file, columns, batchSize }: ImportPlan): Promise<DryRunResult> {
  const seen = { rows: 0, batches: 0, flawed: 0, sample: [] as object[] };
  for await (const { rows } of readBatches(file, columns, batchSize)) {
    seen.rows += rows.length;
    seen.batches += 1;
    seen.flawed += rows.filter(({ flaw }) => flaw !== undefined).length;
    if (seen.sample.length < SAMPLE_SIZE) seen.sample.push(...rows.slice(0, SAMPLE_SIZE).map(({ row }) => row));
  }
  return seen;
}

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
