import type { Tx } from '#kernel/db/transaction.js';
import { type AskedRow, WINDOW_DAYS } from '../dedup/dedup-request.js';
import type { DedupService } from '../dedup/dedup.service.js';
import type { DedupResult } from '../dedup/deduped.js';
import type { AddRequest, LeadWish } from './add-request.js';

/** Whether a row may be written to, as it was before the row was added. */
export type RowClass = Pick<
  DedupResult,
  'outcome' | 'reason' | 'evidence' | 'lists' | 'duplicate_of' | 'alternate_email'
>;

/** The classes of rows by their place. The list that they are added to does not count. At most three statements. */
export async function classesOf(
  tx: Tx,
  dedup: DedupService,
  { rows, list }: AddRequest,
): Promise<ReadonlyMap<number, RowClass>> {
  const exceptList = 'id' in list ? list.id : undefined;
  const options = { windowDays: WINDOW_DAYS, includeLists: true, exceptList };
  const { results } = await dedup.classify(tx, rows.map(asAsked), options);
  return new Map(
    results.map(({ index, outcome, reason, evidence, lists, duplicate_of, alternate_email }) => [
      index,
      {
        outcome,
        reason,
        evidence,
        lists,
        ...(duplicate_of !== undefined && { duplicate_of }),
        ...(alternate_email !== undefined && { alternate_email }),
      },
    ]),
  );
}

function asAsked(wish: LeadWish): AskedRow {
  const identifiers = 'person' in wish ? wish.person.identifiers : [];
  const text = (form: 'email' | 'linkedin' | 'domain') => {
    const found = identifiers.find(focus => focus.form === form);
    return found ? found.value : null;
  };
  return { texts: { email: text('email'), linkedin_url: text('linkedin'), domain: text('domain') }, ref: null };
}
