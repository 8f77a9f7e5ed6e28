import { COMMITMENT_PREFIX } from '#domain/attention/dates.js';
import type { DecayTable } from '#domain/attention/facts.js';
import { JUDGED } from '#domain/attention/subject.js';
import { MEETING_EVENTS } from '#domain/meetings/upcoming.js';
import type { Tx } from '#kernel/db/transaction.js';
import { openProposalsSql } from '../identity/proposals.queries.js';
import { keptShape } from '../lists/kept-shapes.js';
import { AT, candidatesSql, type Source } from './candidates.queries.js';
import type { SubjectColumns } from './subject-columns.js';

/** Interactions that count of somebody who may have gone quiet, and events about meetings; the newest ones. */
export const INTERACTIONS = 11;
export const MEETINGS = 20;

/** Claims that are read of somebody. */
const CLAIMS = 100;

/** Open proposals that are looked at, the newest ones. */
const PROPOSALS = 100;

/** What is looked for, and where. */
export interface Sought {
  readonly sources: readonly Source[];
  readonly proposals: boolean;
  readonly meetings: boolean;
  readonly interactions: boolean;
  readonly commitments: boolean;
  readonly contested: boolean;
  readonly decayed: boolean;
}

const micros = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`;
const columns = (...each: readonly string[]) => `json_build_array(${each.map(one => `array_agg(${one})`).join(', ')})`;

/** Ids by which everybody is found once: whom the sources give, canonical, and the sides of proposals. */
const everybody = (sources: readonly Source[], proposals: boolean) => `
  found AS MATERIALIZED (
    SELECT entity.* FROM (
      ${candidatesSql(sources)}${proposals ? ' UNION SELECT entity_id FROM proposal' : ''}
    ) AS candidate (id)
    JOIN LATERAL (${entityOf('candidate.id')}) entity ON true
  ),
  entity AS MATERIALIZED (
    SELECT row_number() OVER () AS position, canonical.* FROM (
      SELECT * FROM found WHERE canonical_id IS NULL
      UNION ALL
      SELECT main.* FROM (
        SELECT canonical_id FROM found WHERE canonical_id IS NOT NULL EXCEPT SELECT id FROM found
      ) AS merged (id)
      JOIN LATERAL (${entityOf('merged.id')}) main ON true
    ) canonical
  )`;

const entityOf = (id: string) => `
  SELECT e.id, e.canonical_id, e.type, e.name, e.company_id, e.last_activity_at FROM entities e
  WHERE e.workspace_id = $1 AND e.id = ${id} OFFSET 0`;

/** The ids that are written about under each entity: its own, and of those who were merged into it. */
const MEMBERS = `
  member AS MATERIALIZED (
    SELECT position, last_activity_at, id FROM entity UNION ALL
    SELECT position, last_activity_at, merged.id FROM entity JOIN LATERAL (
      SELECT m.id FROM entities m WHERE m.workspace_id = $1 AND m.canonical_id = entity.id OFFSET 0
    ) merged ON true
  )`;

const ENTITIES = `
  SELECT ${columns('entity.id', 'entity.type', 'entity.name', 'company.id', 'company.name', micros('entity.last_activity_at'))}
  FROM entity LEFT JOIN LATERAL (
    SELECT c.id, c.name FROM entities c WHERE c.workspace_id = $1 AND c.id = entity.company_id OFFSET 0
  ) company ON true`;

const DECAY = 'LEFT JOIN unnest($3::text[], $4::float8[]) AS decay (property, days) ON decay.property = c.property';

/** Of the claims only those that an item can be made of or that decide about one. */
function claimsSql({ commitments, contested, decayed }: Sought): string {
  const before = `CASE WHEN c.property = 'lead_score' THEN c.state::json #> '{tracks,0,history,-1}' END`;
  const wanted = [
    `c.property IN (${JUDGED.map(property => `'${property}'`).join(', ')})`,
    ...(commitments ? [`starts_with(c.property, '${COMMITMENT_PREFIX}')`] : []),
    ...(contested ? [`c.epistemic_class = 'contested'`] : []),
    ...(decayed ? [`c.supported_at <= (${AT}) - make_interval(secs => coalesce(decay.days, $5) * 86400)`] : []),
  ];
  const list = [
    'entity.position',
    'c.property',
    'c.value',
    'c.confidence',
    'c.epistemic_class',
    micros('c.supported_at'),
    before,
  ];
  return `
    SELECT ${columns(...list)}
    FROM entity JOIN LATERAL (
      SELECT property, value, confidence, epistemic_class, supported_at, state FROM claims
      WHERE workspace_id = $1 AND entity_id = entity.id AND supported_at <= ${AT} LIMIT ${CLAIMS}
    ) c ON true
    ${decayed ? DECAY : ''}
    WHERE ${wanted.join(' OR ')}`;
}

const INTERACTED = `
  SELECT ${columns('member.position', 'event.id', micros('event.observed_at'))}
  FROM member JOIN LATERAL (
    SELECT o.id, o.observed_at FROM observations o
    WHERE o.workspace_id = $1 AND o.entity_id = member.id AND o.kind = 'event' AND o.observed_at <= ${AT}
    ORDER BY o.observed_at DESC LIMIT ${INTERACTIONS}
  ) event ON true
  WHERE member.last_activity_at < (${AT}) - interval '5 days'`;

const [SCHEDULED, CANCELLED] = MEETING_EVENTS;

/** What was cancelled is of interest where something was scheduled. */
const PLANNED = `
  scheduled AS MATERIALIZED (SELECT member.position, event.* FROM member JOIN LATERAL (${meetingsSql(SCHEDULED)}) event ON true)`;

const MET = `
  SELECT ${columns('position', 'id', 'property', 'value', micros('observed_at'))}
  FROM (
    SELECT * FROM scheduled UNION ALL
    SELECT member.position, event.* FROM member JOIN LATERAL (${meetingsSql(CANCELLED)}) event ON true
    WHERE member.position IN (SELECT position FROM scheduled)
  ) meeting`;

function meetingsSql(event: string): string {
  return `
    SELECT o.id, o.property, o.value, o.observed_at FROM observations o
    WHERE o.workspace_id = $1 AND o.entity_id = member.id AND o.property = '${event}'
    ORDER BY o.observed_at DESC LIMIT ${MEETINGS}`;
}

const PROPOSED = `
  SELECT ${columns('entity_id', 'other_entity_id', 'kind', 'value', micros('created_at'))} FROM proposal`;

const shapes = new Map<string, string>();

/** The text for what is sought; composing it takes longer than to look it up. */
function textOf(sought: Sought): string {
  const key = JSON.stringify(sought);
  let text = shapes.get(key);
  if (text === undefined) shapes.set(key, (text = composed(sought)));
  return text;
}

function composed(sought: Sought): string {
  const { sources, proposals, meetings, interactions } = sought;
  const proposal = `proposal AS MATERIALIZED (${openProposalsSql(PROPOSALS)}), `;
  return `WITH ${proposals ? proposal : ''}${everybody(sources, proposals)},${MEMBERS}${meetings ? `,${PLANNED}` : ''}
    SELECT (${ENTITIES}) AS entities, (${claimsSql(sought)}) AS claims,
           ${interactions ? `(${INTERACTED})` : 'NULL::json'} AS interactions,
           ${meetings ? `(${MET})` : 'NULL::json'} AS meetings,
           ${proposals ? `(${PROPOSED})` : 'NULL::json'} AS proposals`;
}

/** Who may want attention, with what there is to judge them by. One statement. @param at ISO 8601, or the present. */
export async function readSubjects(
  tx: Tx,
  sought: Sought,
  decay: DecayTable,
  at: string | null,
): Promise<SubjectColumns> {
  const values = [tx.workspace, at, ...(sought.decayed ? [decay.properties, decay.days, decay.other] : [])];
  const [row] = await tx.query<SubjectColumns>(keptShape(textOf(sought)), values);
  return row!;
}
