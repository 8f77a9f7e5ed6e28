import { STAGES } from '#domain/properties/stages.data.js';

/** A source of candidates. */
export type CandidateSource =
  | 'people'
  | 'open'
  | 'leads'
  | 'contested'
  | 'commitments'
  | 'meetings'
  | 'work_now'
  | 'rescored';

/** Maximum number of candidates per source. Bounds the cost of a call. */
export const MAX_CANDIDATES: Readonly<Record<CandidateSource, number>> = {
  people: 30,
  open: 50,
  leads: 50,
  contested: 50,
  commitments: 100,
  meetings: 100,
  work_now: 50,
  rescored: 50,
};

/** Range of days since the last activity in which an entity counts as silent. */
const MAX_SILENT_DAYS = 180;
const MIN_SILENT_DAYS = 5;

/**
 * SQL of the reference time: `$2`, or the time of the transaction. Not `coalesce`, because under row-level security a
 * condition with it cannot use an index.
 */
export const AS_OF_SQL = 'CASE WHEN $2::timestamptz IS NULL THEN now() ELSE $2::timestamptz END';

const OPEN_STAGES_SQL = [...STAGES.negotiation, ...STAGES.proposal, ...STAGES.qualification, ...STAGES.customer]
  .flatMap(word => [word, word.replaceAll('_', ' ')])
  .map(word => `'${word}'`)
  .join(', ');

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
  open: `
    (SELECT claim.entity_id AS id FROM unnest(ARRAY[${OPEN_STAGES_SQL}]) AS stage (name)
     CROSS JOIN LATERAL (
       SELECT entity_id FROM claims WHERE workspace_id = $1 AND property = 'stage' AND text_prefix = stage.name
       ORDER BY entity_id LIMIT ${MAX_CANDIDATES.open}
     ) claim
     LIMIT ${MAX_CANDIDATES.open})`,
  leads: `
    (SELECT entity_id AS id FROM leads WHERE workspace_id = $1 AND priority IS NOT NULL
     ORDER BY priority DESC, leads.id DESC LIMIT ${MAX_CANDIDATES.leads})`,
  contested: `
    (SELECT entity_id AS id FROM claims WHERE workspace_id = $1 AND epistemic_class = 'contested'
     ORDER BY property, entity_id LIMIT ${MAX_CANDIDATES.contested})`,
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
};

/** Returns SQL that selects the distinct candidate IDs of these sources, including IDs of merged entities. */
export function candidatesSql(sources: readonly CandidateSource[]): string {
  const queries = sources.map(source => QUERIES[source]);
  return `SELECT DISTINCT id FROM (${['SELECT NULL::uuid AS id WHERE false', ...queries].join(' UNION ALL ')}) AS every`;
}
