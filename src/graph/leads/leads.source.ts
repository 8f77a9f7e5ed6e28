import { validate as isUuid } from 'uuid';
import type { ScoreScale } from '#domain/score/bands.js';
import type { Tx } from '#kernel/db/transaction.js';
import { buildCatalogue } from '#domain/filters/filter.js';
import { parseDuration } from '#domain/filters/comparand.js';
import { PLAYS } from '#domain/score/play.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type HistoricalFacts, readPersonRecords, type RowOptions, presentRow } from '../people/person-reader.js';
import type { Row } from '../people/person-row.js';
import { toLeadRow, LEAD_FIELDS } from './leads.presenter.js';
import { readLeadRecords } from './leads.queries.js';
import type { ListFields } from '../lists/list-request.js';
import type { ListColumn, ListSource } from '../lists/page.queries.js';
import {
  DERIVED_COLUMNS,
  PERSON_FIELDS,
  PERSON_PROPERTIES,
  peopleSource,
  personParameters,
} from '../people/people.source.js';
import { REPLY_OUTCOMES } from './lead-update-request.js';

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

const OWN_COLUMNS = {
  text: ['status', 'stage', 'step', 'reply_outcome', 'send_variant', 'play', 'list_name'],
  number: ['priority', 'icp_score', 'intent_score'],
  time: ['created_at', 'updated_at', 'sent_at', 'replied_at', 'scored_at'],
} as const;

const toColumns = (names: readonly string[], type: ListColumn['type']) =>
  Object.fromEntries(names.map(name => [name, { sql: `l.${name}`, type }]));

/** Leads across all lists, each joined with its person. */
export const leadsSource: ListSource = {
  catalogue: buildCatalogue(
    {
      uuid: ['id', 'lead_id=id', 'list_id', 'lead_list_id=list_id', 'entity_id', 'contact_id=entity_id'],
      text: OWN_COLUMNS.text,
      number: [...OWN_COLUMNS.number, 'priority_confidence'],
      time: [...OWN_COLUMNS.time, 'added_at=created_at', 'last_activity_at', 'first_activity_at'],
      boolean: ['is_repeat_contact'],
      name: ['name'],
      email: ['email'],
      linkedin: ['linkedin_url'],
      account: ['account', 'company_id=account', 'domain=account'],
    },
    { play: PLAYS },
  ),
  from: `leads l
    LEFT JOIN entities member ON member.workspace_id = $1 AND member.id = l.entity_id
    LEFT JOIN entities e ON e.workspace_id = $1 AND e.id = coalesce(member.canonical_id, member.id)
    LEFT JOIN lead_lists list ON list.workspace_id = $1 AND list.id = l.list_id`,
  where: 'l.workspace_id = $1',
  id: 'l.id',
  entity: 'e.id',
  // Claims are stored under the canonical id of a merged person. With this condition the planner goes from a rare claim
  // to its leads; if a claim is frequent, it scans the leads in order until a page is full.
  claimCondition: condition => `EXISTS (
    SELECT FROM entities person JOIN claims c ON c.workspace_id = $1
      AND (c.entity_id = person.canonical_id OR (c.entity_id = person.id AND person.canonical_id IS NULL))
    WHERE person.workspace_id = $1 AND person.id = l.entity_id AND ${condition})`,
  entityCondition: ids => `l.entity_id IN (
    WITH person AS MATERIALIZED (${ids})
    SELECT id FROM person UNION ALL
    SELECT m.id FROM person JOIN entities m ON m.workspace_id = $1 AND m.canonical_id = person.id)`,
  company: 'e.company_id',
  columns: {
    ...peopleSource.columns,
    ...toColumns(['id', 'list_id'], 'uuid'),
    ...toColumns(OWN_COLUMNS.text, 'text'),
    ...toColumns(OWN_COLUMNS.number, 'int4'),
    ...toColumns(['priority_confidence'], 'float8'),
    ...toColumns(OWN_COLUMNS.time, 'timestamptz'),
    ...toColumns(['is_repeat_contact'], 'bool'),
    entity_id: { sql: 'e.id', type: 'uuid' },
    list_name: { sql: 'list.name', type: 'text' },
  },
};

const DURATION_FORMAT = 'a duration such as 30d, 12h, 90m or 45s';

function toListFilter(value: string): object {
  if (!isUuid(value)) throw new HubError('invalid_list_id');
  return { list_id: value };
}

/** Fields, sorts and parameters of the list of leads. */
export const leadListFields: ListFields = {
  path: '/v2/leads',
  fields: new Set([...PERSON_FIELDS, ...LEAD_FIELDS]),
  properties: PERSON_PROPERTIES,
  catalogue: leadsSource.catalogue,
  defaultSort: '-created_at',
  derivedColumns: DERIVED_COLUMNS,
  namedSorts: { created_desc: '-created_at', created_asc: 'created_at', score_desc: '-priority' },
  parameters: {
    ...personParameters,
    list_id: toListFilter,
    lead_list_id: toListFilter,
    has_replied: value => {
      const replied = { $or: [{ replied_at: { $exists: true } }, { reply_outcome: { $exists: true } }] };
      if (value === 'true') return replied;
      return value === 'false' ? { $not: replied } : 'true or false';
    },
    reply_outcome: value =>
      REPLY_OUTCOMES.includes(value) ? { reply_outcome: value } : `one of ${REPLY_OUTCOMES.join(', ')}`,
    sent_within: value => (parseDuration(value) === undefined ? DURATION_FORMAT : { sent_at: { $gte: `-${value}` } }),
    sent_before: value =>
      parseDuration(value) === undefined
        ? DURATION_FORMAT
        : { $or: [{ sent_at: { $lt: `-${value}` } }, { sent_at: { $exists: false } }] },
    score_gte: value =>
      /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/.test(value)
        ? { priority: { $gte: Number(value) * 100 } }
        : 'a number from 0 to 1',
  },
};
