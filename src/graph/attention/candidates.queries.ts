import { EVENT_PREFIX } from '#domain/observation/observation.js';
import { listEventNames } from '#domain/properties/registry.js';
import { CALLBACK_PROPERTY } from '#domain/attention/dated-items.js';

/** A source of candidates. */
export type CandidateSource =
  | 'people'
  | 'open'
  | 'leads'
  | 'contested'
  | 'all_contested'
  | 'commitments'
  | 'meetings'
  | 'work_now'
  | 'rescored'
  | 'replies'
  | 'past_meetings'
  | 'callbacks';

/** Maximum number of candidates per source. Bounds the cost of a call. */
export const MAX_CANDIDATES: Readonly<Record<CandidateSource, number>> = {
  people: 30,
  /** Per stage. */
  open: 200,
  leads: 50,
  contested: 50,
  /** Of a list of nothing else. */
  all_contested: 1_000,
  commitments: 100,
  meetings: 100,
  work_now: 50,
  rescored: 50,
  /** Per type of reply. */
  replies: 100,
  past_meetings: 100,
  callbacks: 300,
};

/** Range of days since the last activity in which an entity counts as silent. */
const MAX_SILENT_DAYS = 180;
const MIN_SILENT_DAYS = 5;

/**
 * SQL of the reference time: `$2`, or the time of the transaction. Not `coalesce`, because under row-level security a
 * condition with it cannot use an index.
 */
export const AS_OF_SQL = 'CASE WHEN $2::timestamptz IS NULL THEN now() ELSE $2::timestamptz END';

/** Maximum number of different stages whose entities are candidates. */
const MAX_STAGES = 200;

/** An open deal that has been silent for longer than this is most likely dead; fewer of them are read. */
const LIVE_DAYS = 90;

/** Maximum number of dead deals per stage. */
const MAX_DEAD_DEALS = 20;

/** Words of stages whose deals are over. They only save reads: every candidate's stage is read again by its words. */
const OVER_SQL = String.raw`'\m(lost|won|churned|disqualified|unqualified|customer|client|verloren|gewonnen|perdu|perdido|perso)\M'`;

const dealsSql = (condition: string, order: 'ASC' | 'DESC', limit: number) => `
  (SELECT e.id FROM entities e WHERE e.workspace_id = $1 AND e.canonical_id IS NULL AND e.stage = stage.name AND ${condition}
   ORDER BY e.last_activity_at ${order}, e.id ${order} LIMIT ${limit})`;

const nextStageSql = (condition: string) => `
  SELECT e.stage FROM entities e WHERE e.workspace_id = $1 AND e.canonical_id IS NULL AND e.stage IS NOT NULL ${condition}
  ORDER BY e.stage LIMIT 1`;

/**
 * Selects the deals of each stage that nobody has spoken with for some days: the longest silent and the latest ones, some
 * that are most likely dead, and those without any interaction. The stages are found one after the other in the index,
 * so that a workspace may name them as it likes.
 */
const openDealsSql = (max: number) => `
  (SELECT deal.id FROM (
     WITH RECURSIVE stages (name, place) AS (
       (SELECT (${nextStageSql('')}), 1)
       UNION ALL
       SELECT (${nextStageSql('AND e.stage > stages.name')}), place + 1 FROM stages
       WHERE name IS NOT NULL AND place < ${MAX_STAGES}
     )
     SELECT name FROM stages WHERE name IS NOT NULL AND name !~* ${OVER_SQL}
   ) stage
   CROSS JOIN LATERAL (
     ${[
       dealsSql(
         `e.last_activity_at BETWEEN (${AS_OF_SQL}) - interval '${LIVE_DAYS} days' AND (${AS_OF_SQL}) - interval '${MIN_SILENT_DAYS} days'`,
         'ASC',
         max,
       ),
       dealsSql(`e.last_activity_at <= (${AS_OF_SQL}) - interval '${MIN_SILENT_DAYS} days'`, 'DESC', max),
       dealsSql(`e.last_activity_at < (${AS_OF_SQL}) - interval '${LIVE_DAYS} days'`, 'DESC', MAX_DEAD_DEALS),
       dealsSql('e.last_activity_at IS NULL', 'ASC', max),
     ].join(' UNION ')}
   ) deal)`;

const silentSql = (type: string, order: 'ASC' | 'DESC') => `
  (SELECT id FROM entities WHERE workspace_id = $1 AND canonical_id IS NULL AND type = '${type}'
     AND last_activity_at BETWEEN (${AS_OF_SQL}) - interval '${MAX_SILENT_DAYS} days'
                              AND (${AS_OF_SQL}) - interval '${MIN_SILENT_DAYS} days'
   ORDER BY last_activity_at ${order}, id ${order} LIMIT ${MAX_CANDIDATES.people})`;

const activeSql = (type: string) => `
  (SELECT id FROM entities WHERE workspace_id = $1 AND canonical_id IS NULL AND type = '${type}' AND last_activity_at <= ${AS_OF_SQL}
   ORDER BY last_activity_at DESC, id DESC LIMIT ${MAX_CANDIDATES.people})`;

/**
 * People without any activity. Ordered by `last_activity_at` although it is null, because the index is: ordered by ID
 * alone, the planner may read all people.
 */
const NEVER_ACTIVE_SQL = `
  (SELECT id FROM entities WHERE workspace_id = $1 AND canonical_id IS NULL AND type = 'person' AND last_activity_at IS NULL
   ORDER BY last_activity_at, id LIMIT ${MAX_CANDIDATES.people})`;

/** Events that ask for an answer, by their names in the log. */
const REPLY_EVENTS_SQL = ['email_replied', 'linkedin_replied', 'form_submitted', 'linkedin_message', 'sms_received']
  .flatMap(type => listEventNames(`${EVENT_PREFIX}${type}`))
  .map(name => `'${name}'`)
  .join(', ');

const contestedSql = (max: number) => `
    (SELECT entity_id AS id FROM claims WHERE workspace_id = $1 AND epistemic_class = 'contested'
     ORDER BY property, entity_id LIMIT ${max})`;

/** Selects the first candidates of each source in index order. None of these scans a whole table. */
const QUERIES: Readonly<Record<CandidateSource, string>> = {
  people: [
    silentSql('person', 'ASC'),
    silentSql('person', 'DESC'),
    silentSql('company', 'ASC'),
    activeSql('person'),
    activeSql('company'),
    NEVER_ACTIVE_SQL,
  ].join(' UNION ALL '),
  open: openDealsSql(MAX_CANDIDATES.open),
  leads: `
    (SELECT entity_id AS id FROM leads WHERE workspace_id = $1 AND priority IS NOT NULL
     ORDER BY priority DESC, leads.id DESC LIMIT ${MAX_CANDIDATES.leads})`,
  contested: contestedSql(MAX_CANDIDATES.contested),
  all_contested: contestedSql(MAX_CANDIDATES.all_contested),
  commitments: `
    (SELECT entity_id AS id FROM claims WHERE workspace_id = $1 AND starts_with(property, 'action_item.')
     ORDER BY entity_id, property LIMIT ${MAX_CANDIDATES.commitments})`,
  meetings: `
    (SELECT entity_id AS id FROM observations WHERE workspace_id = $1
       AND property COLLATE "C" = 'interaction.meeting_scheduled' AND happens_at > '-infinity'
       AND happens_at BETWEEN ${AS_OF_SQL} AND (${AS_OF_SQL}) + interval '7 days'
     ORDER BY happens_at, observations.id LIMIT ${MAX_CANDIDATES.meetings})`,
  work_now: `
    (SELECT entity_id AS id FROM leads WHERE workspace_id = $1 AND play = 'work now'
     ORDER BY priority DESC, leads.id DESC LIMIT ${MAX_CANDIDATES.work_now})`,
  rescored: `
    (SELECT entity_id AS id FROM leads WHERE workspace_id = $1 AND scored_at IS NOT NULL
       AND scored_at > (${AS_OF_SQL}) - interval '7 days'
     ORDER BY scored_at DESC, leads.id DESC LIMIT ${MAX_CANDIDATES.rescored})`,
  replies: `
    (SELECT reply.entity_id AS id FROM unnest(ARRAY[${REPLY_EVENTS_SQL}]) AS event (name)
     CROSS JOIN LATERAL (
       SELECT entity_id FROM observations WHERE workspace_id = $1 AND property COLLATE "C" = event.name
         AND happens_at > '-infinity'
         AND happens_at BETWEEN (${AS_OF_SQL}) - interval '30 days' AND ${AS_OF_SQL}
       ORDER BY happens_at DESC, observations.id DESC LIMIT ${MAX_CANDIDATES.replies}
     ) reply)`,
  past_meetings: `
    (SELECT entity_id AS id FROM observations WHERE workspace_id = $1
       AND property COLLATE "C" = 'interaction.meeting_scheduled' AND happens_at > '-infinity'
       AND happens_at BETWEEN (${AS_OF_SQL}) - interval '14 days' AND ${AS_OF_SQL}
     ORDER BY happens_at DESC, observations.id DESC LIMIT ${MAX_CANDIDATES.past_meetings})`,
  callbacks: `
    (SELECT entity_id AS id FROM claims WHERE workspace_id = $1 AND property = '${CALLBACK_PROPERTY}'
       AND text_prefix >= to_char((${AS_OF_SQL}) - interval '61 days', 'YYYY-MM-DD')
     ORDER BY text_prefix, entity_id LIMIT ${MAX_CANDIDATES.callbacks})`,
};

/** Returns SQL that selects the distinct candidate IDs of these sources, including IDs of merged entities. */
export function candidatesSql(sources: readonly CandidateSource[]): string {
  const queries = sources.map(source => QUERIES[source]);
  return `SELECT DISTINCT id FROM (${['SELECT NULL::uuid AS id WHERE false', ...queries].join(' UNION ALL ')}) AS every`;
}
