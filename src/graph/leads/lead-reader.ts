import type { ScoreScale } from '#domain/score/bands.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type HistoricalFacts, readPersonRecords, type RowOptions, presentRow } from '../people/person-reader.js';
import type { Row } from '../people/person-row.js';
import { toLeadRow } from './leads.presenter.js';
import { readLeadRecords } from './leads.queries.js';

/** Which parts of a row to return, and the tiers and bands of its scores. */
export interface LeadRowOptions extends RowOptions {
  readonly scale: ScoreScale;
}

/**
 * Returns the rows of these leads, in the order of `ids`. Four statements, however many leads there are.
 * @param readFacts reads past facts of their people. Default: the current ones.
 */
export async function readLeadRows(
  tx: Tx,
  ids: readonly string[],
  options: LeadRowOptions,
  readFacts?: (people: readonly string[]) => Promise<HistoricalFacts>,
): Promise<Row[]> {
  const leads = new Map((ids.length === 0 ? [] : await readLeadRecords(tx, ids)).map(lead => [lead.id, lead]));
  const people = [...new Set([...leads.values()].map(lead => lead.person_id))];
  const records = await readPersonRecords(tx, people, { ...options, past: await readFacts?.(people) });
  return ids.flatMap(id => {
    const lead = leads.get(id);
    const view = lead && records.get(lead.person_id);
    return view ? [presentRow(toLeadRow(lead, view.row, tx.workspace, options.scale), view, options)] : [];
  });
}
