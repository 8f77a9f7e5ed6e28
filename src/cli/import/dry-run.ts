import { readBatches } from './batches.js';
import type { ImportPlan } from './run-import.js';

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
