import type { Tx } from '#kernel/db/transaction.js';
import { type DedupRow, DEFAULT_WINDOW_DAYS } from '../dedup/dedup-request.js';
import type { DedupService } from '../dedup/dedup.service.js';
import type { DedupResult } from '../dedup/dedup.presenter.js';
import type { AddLeadsInput, LeadInput } from './add-leads-request.js';

/** The outreach class of a row before it was added. */
export type OutreachClass = Pick<
  DedupResult,
  'outcome' | 'reason' | 'evidence' | 'lists' | 'duplicate_of' | 'alternate_email'
>;

/** Classifies rows for outreach, by index. The list that they are added to is ignored. At most three statements. */
export async function classifyRows(
  tx: Tx,
  dedup: DedupService,
  { rows, list }: AddLeadsInput,
): Promise<ReadonlyMap<number, OutreachClass>> {
  const excludedListId = 'id' in list ? list.id : undefined;
  const options = { windowDays: DEFAULT_WINDOW_DAYS, includeLists: true, excludedListId };
  const { results } = await dedup.classify(tx, rows.map(toDedupRow), options);
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

function toDedupRow(row: LeadInput): DedupRow {
  const identifiers = 'person' in row ? row.person.identifiers : [];
  const text = (form: 'email' | 'linkedin' | 'domain') => {
    const found = identifiers.find(focus => focus.form === form);
    return found ? found.value : null;
  };
  return { identifiers: { email: text('email'), linkedin_url: text('linkedin'), domain: text('domain') }, ref: null };
}
