import { readBatches } from './batches.js';
import type { ImportPlan } from './run-import.js';

/** What a file would be, read without a word to the hub. */
export interface DryRunResult {
  readonly rows: number;
  readonly batches: number;
  /** Lines whose shape is wrong. */
  readonly flawed: number;
  /** The first rows as they would be sent, at most 3. */
  readonly sample: readonly object[];
}

const SAMPLE_SIZE = 3;

/** Reads all of the file. */
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
