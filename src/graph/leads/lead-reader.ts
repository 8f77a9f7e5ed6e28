import type { Tx } from '#kernel/db/transaction.js';
import { type FactsThen, readViews, type RowWish, shown } from '../people/person-reader.js';
import type { Row } from '../people/person-row.js';
import { leadRow } from './lead-row.js';
import { readLeads } from './leads.queries.js';

/**
 * Rows of these leads, in the order of `ids`. Four statements, however many they are.
 * @param factsOf reads what their people were; absent: what they are.
 */
export async function readLeadRows(
  tx: Tx,
  ids: readonly string[],
  wish: RowWish,
  factsOf?: (people: readonly string[]) => Promise<FactsThen>,
): Promise<Row[]> {
  const leads = new Map((ids.length === 0 ? [] : await readLeads(tx, ids)).map(lead => [lead.id, lead]));
  const people = [...new Set([...leads.values()].map(lead => lead.person_id))];
  const views = await readViews(tx, people, { ...wish, past: await factsOf?.(people) });
  return ids.flatMap(id => {
    const lead = leads.get(id);
    const view = lead && views.get(lead.person_id);
    return view ? [shown(leadRow(lead, view.row, tx.workspace), view, wish)] : [];
  });
}
