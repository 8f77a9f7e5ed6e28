import type { ApiClient } from '../api/api-client.js';
import { toCliError } from '../api/to-cli-error.js';
import type { ImportBatch, CsvRow } from './batches.js';
import type { RejectedRow } from './rejects.js';

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
