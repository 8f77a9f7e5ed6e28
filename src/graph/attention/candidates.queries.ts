import { STAGES } from '#domain/properties/stages.data.js';
import type { Tx } from '#kernel/db/transaction.js';
import { keptShape } from '../lists/kept-shapes.js';

/** Where candidates come from. */
export type Source = 'people' | 'open' | 'leads' | 'contested' | 'commitments' | 'meetings' | 'work_now' | 'rescored';

/** Most candidates of each source: what bounds the cost of a call. */
export const MOST: Readonly<Record<Source, number>> = {
  people: 30,
  open: 50,
  leads: 50,
  contested: 50,
  commitments: 100,
  meetings: 100,
  work_now: 50,
  rescored: 50,
};

/** How long ago somebody may have been heard of to be missed, in days; from when silence can mean anything. */
const MISSED_DAYS = 180;
const SILENT_DAYS = 5;

const openStages = [...STAGES.negotiation, ...STAGES.proposal, ...STAGES.qualification, ...STAGES.customer]
  .flatMap(word => [word, word.replaceAll('_', ' ')])
  .map(word => `'${word}'`)
  .join(', ');

const silent = (type: string, order: 'ASC' | 'DESC') => `
  (SELECT id FROM entities WHERE workspace_id = $1 AND canonical_id IS NULL AND type = '${type}'
     AND last_activity_at BETWEEN $2::timestamptz - interval '${MISSED_DAYS} days'
                              AND $2::timestamptz - interval '${SILENT_DAYS} days'
   ORDER BY last_activity_at ${order}, id ${order} LIMIT ${MOST.people})`;

const active = (type: string) => `
  (SELECT id FROM entities WHERE workspace_id = $1 AND canonical_id IS NULL AND type = '${type}' AND last_activity_at <= $2::timestamptz
   ORDER BY last_activity_at DESC, id DESC LIMIT ${MOST.people})`;

const unheard = `
  (SELECT id FROM entities WHERE workspace_id = $1 AND canonical_id IS NULL AND type = 'person' AND last_activity_at IS NULL
   ORDER BY id LIMIT ${MOST.people})`;

/** The first candidates of each source in the order of an index: none of these reads a table through. */
const QUERIES: Readonly<Record<Source, string>> = {
  people: [
    silent('person', 'ASC'),
    silent('person', 'DESC'),
    silent('company', 'ASC'),
    active('person'),
    active('company'),
    unheard,
  ].join(' UNION ALL '),
  open: `
    (SELECT own.entity_id AS id FROM unnest(ARRAY[${openStages}]) AS said (word)
     CROSS JOIN LATERAL (
       SELECT entity_id FROM claims WHERE workspace_id = $1 AND property = 'stage' AND head = said.word
       ORDER BY entity_id LIMIT ${MOST.open}
     ) own
     LIMIT ${MOST.open})`,
  leads: `
    (SELECT entity_id AS id FROM leads WHERE workspace_id = $1 AND priority IS NOT NULL
     ORDER BY priority DESC, leads.id DESC LIMIT ${MOST.leads})`,
  contested: `
    (SELECT entity_id AS id FROM claims WHERE workspace_id = $1 AND class = 'contested'
     ORDER BY property, entity_id LIMIT ${MOST.contested})`,
  commitments: `
    (SELECT entity_id AS id FROM claims WHERE workspace_id = $1 AND starts_with(property, 'action_item.')
     ORDER BY entity_id, property LIMIT ${MOST.commitments})`,
  meetings: `
    (SELECT entity_id AS id FROM observations WHERE workspace_id = $1
       AND property COLLATE "C" = 'interaction.meeting_scheduled' AND happens_at > '-infinity'
       AND happens_at BETWEEN $2::timestamptz AND $2::timestamptz + interval '7 days'
     ORDER BY happens_at, observations.id LIMIT ${MOST.meetings})`,
  work_now: `
    (SELECT entity_id AS id FROM leads WHERE workspace_id = $1 AND play = 'work now'
     ORDER BY priority DESC, leads.id DESC LIMIT ${MOST.work_now})`,
  rescored: `
    (SELECT entity_id AS id FROM leads WHERE workspace_id = $1 AND scored_at IS NOT NULL
       AND scored_at > $2::timestamptz - interval '7 days'
     ORDER BY scored_at DESC, leads.id DESC LIMIT ${MOST.rescored})`,
};

/** The canonical ids of those who may want attention, by these sources. One statement. @param at ISO 8601. */
export async function readCandidates(tx: Tx, sources: readonly Source[], at: string): Promise<string[]> {
  if (sources.length === 0) return [];
  const all = sources.map(source => QUERIES[source]).join(' UNION ALL ');
  const rows = await tx.query<{ id: string }>(
    keptShape(`SELECT DISTINCT coalesce(entity.canonical_id, entity.id) AS id
     FROM (SELECT DISTINCT id FROM (${all}) AS every) AS candidate
     JOIN LATERAL (
       SELECT e.id, e.canonical_id FROM entities e WHERE e.workspace_id = $1 AND e.id = candidate.id OFFSET 0
     ) entity ON $2::timestamptz IS NOT NULL`),
    [tx.workspace, at],
  );
  return rows.map(({ id }) => id);
}
