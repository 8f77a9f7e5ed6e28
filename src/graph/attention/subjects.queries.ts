import { EMPLOYER_PROPERTY, type TenureProjection } from '#domain/claims/doubt.js';
import type { EpistemicClass } from '#domain/claims/confidence.js';
import type { EntityType } from '#domain/identity/focus.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import { CALLBACK_PROPERTY, COMMITMENT_PREFIX } from '#domain/attention/dated-items.js';
import type { DecayTable } from '#domain/attention/fact-items.js';
import { ASSESSED_PROPERTIES, MAX_INTERACTIONS } from '#domain/attention/attention-entity.js';
import { automaticSql } from '../observations/observations.queries.js';
import { MEETING_EVENTS } from '#domain/meetings/upcoming-meetings.js';
import type { Tx } from '#kernel/db/transaction.js';
import { openProposalsSql } from '../identity/proposals.queries.js';
import type { StatementCache } from '../lists/sql-params.js';
import { MARKS_SQL, type MarkRow } from './marks.queries.js';
import { AS_OF_SQL, candidatesSql, type CandidateSource } from './candidates.queries.js';

/**
 * Stored data of all candidates as columns: reading a few thousand rows as objects would take half of the call. `place`
 * is the position of the entity, from 1. Times are microseconds.
 */
export interface SubjectColumns {
  readonly entities: Columns<
    [
      id: string,
      type: EntityType,
      name: string | null,
      companyId: string | null,
      company: string | null,
      activity: Instant | null,
      inbound: Instant | null,
      note: Instant | null,
      companyCountry: JsonValue,
    ]
  >;
  /**
   * `before` is the previous score; null for other properties. `tenure` and `job` decide whether a fact is suspect at any
   * age; null unless the employer changed or the address bounced.
   */
  readonly claims: Columns<
    [
      place: number,
      property: string,
      value: JsonValue,
      confidence: number,
      epistemicClass: EpistemicClass,
      at: Instant,
      before: PreviousScore | null,
      tenure: TenureProjection,
      job: TenureProjection,
    ]
  >;
  readonly interactions: Columns<
    [
      place: number,
      id: string,
      at: Instant,
      property: string,
      direction: string | null,
      automatic: boolean,
      back: string | null,
    ]
  > | null;
  readonly meetings: Columns<[place: number, id: string, property: string, value: JsonValue, at: Instant]> | null;
  readonly proposals: Columns<
    [entityId: string, otherId: string, otherName: string | null, kind: string, value: string, at: Instant]
  > | null;
  readonly marks: readonly MarkRow[] | null;
}

/** The previous score, and when it was replaced. */
export interface PreviousScore {
  readonly value: JsonValue;
  readonly to: Instant;
}

/** Lists of equal length; all null if there are no rows. */
type Columns<Row extends readonly unknown[]> = { readonly [Place in keyof Row]: readonly Row[Place][] | null };

/** Maximum number of newest meeting events that are read per entity. */
export const MAX_MEETINGS = 20;

/** Maximum number of claims that are read per entity. */
const MAX_CLAIMS = 100;

/** Maximum number of open merge proposals that are read; the newest ones. */
const MAX_PROPOSALS = 100;

/** Selects the sources of candidates and the data to read of them. */
export interface SubjectQuery {
  readonly sources: readonly CandidateSource[];
  readonly proposals: boolean;
  readonly meetings: boolean;
  readonly interactions: boolean;
  readonly commitments: boolean;
  readonly contested: boolean;
  readonly decayed: boolean;
  readonly callbacks: boolean;
  readonly notes: boolean;
}

const micros = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`;
const columnsSql = (...each: readonly string[]) =>
  `json_build_array(${each.map(one => `array_agg(${one})`).join(', ')})`;

/** Selects each canonical entity of the candidates, and of the merge proposals, once. */
const entitiesSql = (sources: readonly CandidateSource[], proposals: boolean) => `
  found AS MATERIALIZED (
    SELECT entity.* FROM (
      ${candidatesSql(sources)}${proposals ? ' UNION SELECT entity_id FROM proposal' : ''}
    ) AS candidate (id)
    JOIN LATERAL (${entitySql('candidate.id')}) entity ON true
  ),
  entity AS MATERIALIZED (
    SELECT row_number() OVER () AS position, canonical.* FROM (
      SELECT * FROM found WHERE canonical_id IS NULL
      UNION ALL
      SELECT main.* FROM (
        SELECT canonical_id FROM found WHERE canonical_id IS NOT NULL EXCEPT SELECT id FROM found
      ) AS merged (id)
      JOIN LATERAL (${entitySql('merged.id')}) main ON true
    ) canonical
  )`;

const entitySql = (id: string) => `
  SELECT e.id, e.canonical_id, e.type, e.name, e.company_id, e.last_activity_at, e.last_inbound_activity_at FROM entities e
  WHERE e.workspace_id = $1 AND e.id = ${id} OFFSET 0`;

/** Selects the members of each entity's cluster: its own ID and those of entities merged into it. */
const MEMBERS_SQL = `
  member AS MATERIALIZED (
    SELECT position, last_activity_at, last_inbound_activity_at, id FROM entity UNION ALL
    SELECT position, last_activity_at, last_inbound_activity_at, merged.id FROM entity JOIN LATERAL (
      SELECT m.id FROM entities m WHERE m.workspace_id = $1 AND m.canonical_id = entity.id OFFSET 0
    ) merged ON true
  )`;

/** The country of a person's company decides which days are holidays if that of the person is unknown. */
const COMPANY_COUNTRY_SQL = `(
  SELECT c.value FROM claims c WHERE c.workspace_id = $1 AND c.entity_id = company.id AND c.property = 'country')`;

/** Notes are read only where they could be the outcome of a meeting. */
const entityColumnsSql = ({ notes, interactions }: SubjectQuery) => `
  SELECT ${columnsSql(
    'entity.id',
    'entity.type',
    'entity.name',
    'company.id',
    'company.name',
    micros('entity.last_activity_at'),
    micros('entity.last_inbound_activity_at'),
    notes ? micros('note.date') : 'NULL::bigint',
    interactions ? COMPANY_COUNTRY_SQL : 'NULL::jsonb',
  )}
  FROM entity ${notes ? NEWEST_NOTE_SQL : ''} LEFT JOIN LATERAL (
    SELECT c.id, coalesce(c.name, (
      SELECT i.value FROM identifiers i WHERE i.workspace_id = $1 AND i.entity_id = c.id AND i.kind = 'domain' LIMIT 1
    )) AS name
    FROM entities c WHERE c.workspace_id = $1 AND c.id = entity.company_id OFFSET 0
  ) company ON true`;

const DECAY_JOIN_SQL =
  'LEFT JOIN unnest($3::text[], $4::float8[]) AS decay (property, days) ON decay.property = c.property';

/** The present job of the few whose employer changed. */
const JOB_JOIN_SQL = `
  LEFT JOIN LATERAL (
    SELECT employer.tenure FROM claims employer
    WHERE employer.workspace_id = $1 AND employer.entity_id = entity.id AND employer.property = '${EMPLOYER_PROPERTY}'
      AND employer.tenure ? 'from' AND employer.supported_at <= ${AS_OF_SQL}
  ) job ON true`;

const NEWEST_NOTE_SQL = `
  LEFT JOIN LATERAL (
    SELECT n.date FROM notes n WHERE n.workspace_id = $1 AND n.entity_id = entity.id
    ORDER BY n.date DESC, n.id DESC LIMIT 1
  ) note ON true`;

/** Selects only the claims that an item can be about or that items depend on. */
function claimsSql({ commitments, contested, decayed, callbacks }: SubjectQuery): string {
  const before = `CASE WHEN c.property = 'lead_score' THEN c.state::json #> '{tracks,0,history,-1}' END`;
  const conditions = [
    `c.property IN (${ASSESSED_PROPERTIES.map(property => `'${property}'`).join(', ')})`,
    ...(callbacks ? [`c.property = '${CALLBACK_PROPERTY}'`] : []),
    ...(commitments ? [`starts_with(c.property, '${COMMITMENT_PREFIX}')`] : []),
    ...(contested ? [`c.epistemic_class = 'contested'`] : []),
    ...(decayed ? [`c.supported_at <= (${AS_OF_SQL}) - make_interval(secs => coalesce(decay.days, $5) * 86400)`] : []),
    ...(decayed ? [`job.tenure IS NOT NULL AND c.tenure ? 'by'`, `c.tenure ? 'bounced'`] : []),
  ];
  const list = [
    'entity.position',
    'c.property',
    'c.value',
    'c.confidence',
    'c.epistemic_class',
    micros('c.supported_at'),
    before,
    decayed ? `CASE WHEN job.tenure IS NOT NULL OR c.tenure ? 'bounced' THEN c.tenure END` : 'NULL::jsonb',
    decayed ? `CASE WHEN c.tenure ? 'by' THEN job.tenure END` : 'NULL::jsonb',
  ];
  return `
    SELECT ${columnsSql(...list)}
    FROM entity JOIN LATERAL (
      SELECT property, value, confidence, epistemic_class, supported_at, state, tenure FROM claims
      WHERE workspace_id = $1 AND entity_id = entity.id AND supported_at <= ${AS_OF_SQL} LIMIT ${MAX_CLAIMS}
    ) c ON true
    ${decayed ? DECAY_JOIN_SQL + JOB_JOIN_SQL : ''}
    WHERE ${conditions.join(' OR ')}`;
}

const AUTOMATIC_SQL = automaticSql('event.value');

/** The day of return that an out-of-office reply names, as text. */
const RETURN_SQL = `CASE WHEN jsonb_typeof(event.value) = 'object' AND (event.property = 'interaction.out_of_office' OR ${AUTOMATIC_SQL})
  THEN coalesce(event.value ->> 'return_date', event.value ->> 'until', event.value ->> 'back_on') END`;

const INTERACTIONS_SQL = `
  SELECT ${columnsSql(
    'member.position',
    'event.id',
    micros('event.observed_at'),
    'event.property',
    `CASE WHEN jsonb_typeof(event.value) = 'object' THEN event.value ->> 'direction' END`,
    AUTOMATIC_SQL,
    RETURN_SQL,
  )}
  FROM member JOIN LATERAL (
    SELECT o.id, o.observed_at, o.property, o.value FROM observations o
    WHERE o.workspace_id = $1 AND o.entity_id = member.id AND o.kind = 'event' AND o.observed_at <= ${AS_OF_SQL}
    ORDER BY o.observed_at DESC LIMIT ${MAX_INTERACTIONS}
  ) event ON true
  WHERE member.last_activity_at < (${AS_OF_SQL}) - interval '5 days'
     OR member.last_inbound_activity_at > (${AS_OF_SQL}) - interval '40 days'`;

const [SCHEDULED, CANCELLED] = MEETING_EVENTS;

/** Cancelled meetings are read only for entities with scheduled ones. */
const PLANNED_MEETINGS_SQL = `
  scheduled AS MATERIALIZED (SELECT member.position, event.* FROM member JOIN LATERAL (${meetingsSql(SCHEDULED)}) event ON true)`;

const MEETINGS_SQL = `
  SELECT ${columnsSql('position', 'id', 'property', 'value', micros('observed_at'))}
  FROM (
    SELECT * FROM scheduled UNION ALL
    SELECT member.position, event.* FROM member JOIN LATERAL (${meetingsSql(CANCELLED)}) event ON true
    WHERE member.position IN (SELECT position FROM scheduled)
  ) meeting`;

function meetingsSql(event: string): string {
  return `
    SELECT o.id, o.property, o.value, o.observed_at FROM observations o
    WHERE o.workspace_id = $1 AND o.entity_id = member.id AND o.property = '${event}'
    ORDER BY o.observed_at DESC LIMIT ${MAX_MEETINGS}`;
}

const PROPOSALS_SQL = `
  SELECT ${columnsSql('entity_id', 'other_entity_id', 'other.name', 'kind', 'value', micros('created_at'))}
  FROM proposal JOIN LATERAL (
    SELECT e.name FROM entities e WHERE e.workspace_id = $1 AND e.id = other_entity_id OFFSET 0
  ) other ON true`;

function buildSql(query: SubjectQuery): string {
  const { sources, proposals, meetings, interactions } = query;
  const proposal = `proposal AS MATERIALIZED (${openProposalsSql(MAX_PROPOSALS)}), `;
  return `WITH ${proposals ? proposal : ''}${entitiesSql(sources, proposals)},${MEMBERS_SQL}${meetings ? `,${PLANNED_MEETINGS_SQL}` : ''}
    SELECT (${entityColumnsSql(query)}) AS entities, (${claimsSql(query)}) AS claims,
           ${interactions ? `(${INTERACTIONS_SQL})` : 'NULL::json'} AS interactions,
           ${meetings ? `(${MEETINGS_SQL})` : 'NULL::json'} AS meetings,
           ${proposals ? `(${PROPOSALS_SQL})` : 'NULL::json'} AS proposals, (${MARKS_SQL}) AS marks`;
}

/** Reads the candidates and the data that items are derived from. One statement. @param at ISO 8601; null means now. */
export async function readSubjects(
  tx: Tx,
  statements: StatementCache,
  query: SubjectQuery,
  decay: DecayTable,
  at: string | null,
): Promise<SubjectColumns> {
  const values = [tx.workspace, at, ...(query.decayed ? [decay.properties, decay.days, decay.defaultDays] : [])];
  const [row] = await tx.query<SubjectColumns>(statements.get(buildSql(query)), values);
  return row!;
}
