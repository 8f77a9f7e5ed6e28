import type { Hub } from '../hub/hub.js';
import { refusalOf } from '../hub/refusal.js';
import type { Batch, ReadRow } from './batches.js';
import type { Reject } from './rejects.js';

const PATH = '/v2/leads/bulk';

/** What became of a batch. */
export interface Sent {
  readonly listId: string | null;
  readonly created: number;
  readonly matched: number;
  readonly duplicate: number;
  readonly rejects: readonly Reject[];
}

interface Answer {
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
 * Sends a batch. Its idempotency key tells the hub when it comes again, after a lost answer or in a second run.
 * @param name of the import @throws CliError when the hub refuses the batch as a whole
 */
export async function sendBatch(
  hub: Hub,
  { index, rows }: Batch,
  { name, list, source }: { readonly name: string; readonly list: string; readonly source: string },
): Promise<Sent> {
  const good = rows.filter(({ flaw }) => flaw === undefined);
  const flawed = rows.filter(({ flaw }) => flaw !== undefined).map(read => rejected(read, 'bad_shape', read.flaw!));
  if (good.length === 0) return { listId: null, created: 0, matched: 0, duplicate: 0, rejects: flawed };
  const { status, body } = await hub.send('POST', PATH, {
    body: { list, source, leads: good.map(({ row }) => row) },
    idempotencyKey: `${name}-${index}`,
  });
  if (status < 200 || status > 299) throw refusalOf(status, body, `POST ${PATH}`);
  const { list_id: listId, results } = body as Answer;
  const of = (wanted: string) => results.filter(result => result.status === wanted).length;
  const refused = results.flatMap(({ index: place, error }) => {
    if (!error) return [];
    const reasons = (error.details ?? []).map(({ field, message }) => `${field}: ${message}`).join(' ');
    return [rejected(good[place]!, error.error, reasons || (error.detail ?? error.error))];
  });
  const rejects = [...flawed, ...refused].sort((a, b) => a.line - b.line);
  return { listId, created: of('created'), matched: of('matched'), duplicate: of('duplicate'), rejects };
}

function rejected({ line }: ReadRow, error: string, reason: string): Reject {
  return { line: line.number, error, reason, cells: line.cells };
}
