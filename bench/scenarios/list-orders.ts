/** A list in an order, which is paged through. */
export interface ListOrder {
  readonly what: string;
  /** Below `/v2/`, up to where a parameter may follow. */
  readonly path: string;
  /** SQL for the same rows in the same order: what they are sorted by, as a cursor has it, and their ids. */
  readonly place: string;
}

const micros = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::float8`;
const people = "FROM entities WHERE workspace_id = $1 AND type = 'person' AND canonical_id IS NULL";
const byActivity = `SELECT ${micros('last_activity_at')} AS value, id ${people} ORDER BY last_activity_at DESC, id DESC`;
const byCreation = `SELECT ${micros('created_at')} AS value, id FROM leads WHERE workspace_id = $1
  ORDER BY created_at DESC, id DESC`;

/** Filters that everybody of `fillLists` passes, so that there is a page 10 000 behind them. */
const titled = `filter=${encodeURIComponent('{"title":{"$starts_with":"vp"}}')}`;
const sure = `filter=${encodeURIComponent('{"company":{"$contains":"company","confidence":{"$gte":0.7}}}')}`;

/** How long lists are paged through: by a column, by what is claimed, and with conditions. */
export const ORDERS: Readonly<Record<'people' | 'leads', readonly ListOrder[]>> = {
  people: [
    { what: 'people', path: 'people?', place: byActivity },
    {
      what: 'people by name',
      path: 'people?sort=name&',
      place: `SELECT name_key AS value, id ${people} ORDER BY name_key, id`,
    },
    {
      what: 'people by title',
      path: 'people?sort=title&',
      place: `SELECT text_prefix AS value, entity_id AS id FROM claims WHERE workspace_id = $1 AND property = 'title'
        AND text_prefix IS NOT NULL ORDER BY text_prefix, entity_id`,
    },
    { what: 'people with a title', path: `people?${titled}&`, place: byActivity },
    { what: 'people surely at a company', path: `people?${sure}&`, place: byActivity },
  ],
  leads: [
    { what: 'leads', path: 'leads?', place: byCreation },
    {
      what: 'leads by priority',
      path: 'leads?sort=score_desc&',
      place: 'SELECT priority AS value, id FROM leads WHERE workspace_id = $1 ORDER BY priority DESC, id DESC',
    },
    { what: 'pending leads', path: 'leads?status=pending&', place: byCreation },
    { what: 'leads with a title', path: `leads?${titled}&`, place: byCreation },
  ],
};
