import type { EpistemicClass } from '#domain/claims/certainty.js';
import { MEETING_EVENTS } from '#domain/meetings/upcoming.js';
import type { EntityType } from '#domain/identity/focus.js';
import type { Json } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import { statement } from '#kernel/db/statement.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Interactions that are read of somebody who may have gone quiet. */
const INTERACTIONS = 11;

/** Claims that are read of somebody. */
const CLAIMS = 100;

/**
 * What is kept of an entity that may want attention. Times within lists are microseconds. What is listed comes as
 * arrays, because naming the parts of a few thousand of them costs a tenth of the call.
 */
export interface SubjectRow {
  readonly id: string;
  readonly type: EntityType;
  readonly name: string | null;
  readonly company_id: string | null;
  readonly company: string | null;
  readonly activity: Instant | null;
  readonly claims: readonly ClaimInRow[] | null;
  readonly interactions: readonly (readonly [id: string, at: Instant])[] | null;
  readonly meetings: readonly MeetingInRow[] | null;
}

/** A claim; `before` is what a score was before. */
export type ClaimInRow = readonly [
  property: string,
  value: Json,
  confidence: number,
  epistemicClass: EpistemicClass,
  at: Instant,
  before: { readonly value: Json; readonly to: Instant } | null,
];

/** An event about a meeting. */
export type MeetingInRow = readonly [id: string, property: string, value: Json, at: Instant];

const micros = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`;
const members = `(SELECT entity.id UNION ALL
  SELECT merged.id FROM entities merged WHERE merged.workspace_id = $1 AND merged.canonical_id = entity.id)`;

const SUBJECTS = statement(`
  SELECT entity.id, entity.type, entity.name, company.id AS company_id, company.name AS company,
         entity.last_activity_at AS activity, claims.list AS claims, interactions.list AS interactions,
         meetings.list AS meetings
  FROM unnest($2::uuid[]) AS wanted (id)
  JOIN LATERAL (
    SELECT e.id, e.type, e.name, e.company_id, e.last_activity_at FROM entities e
    WHERE e.workspace_id = $1 AND e.id = wanted.id OFFSET 0
  ) entity ON true
  LEFT JOIN LATERAL (
    SELECT c.id, c.name FROM entities c WHERE c.workspace_id = $1 AND c.id = entity.company_id OFFSET 0
  ) company ON true
  JOIN LATERAL (
    SELECT json_agg(json_build_array(c.property, c.value, c.confidence, c.class, ${micros('c.supported_at')},
      CASE WHEN c.property = 'lead_score' THEN c.state #> '{tracks,0,history,-1}' END)) AS list
    FROM (
      SELECT property, value, confidence, class, supported_at, state FROM claims
      WHERE workspace_id = $1 AND entity_id = entity.id AND supported_at <= $3::timestamptz LIMIT ${CLAIMS}
    ) c
  ) claims ON true
  JOIN LATERAL (
    SELECT json_agg(json_build_array(about.id, ${micros('about.observed_at')})
      ORDER BY about.observed_at DESC) AS list
    FROM (
      SELECT event.id, event.observed_at FROM ${members} AS member (id)
      JOIN LATERAL (
        SELECT o.id, o.observed_at FROM observations o
        WHERE o.workspace_id = $1 AND o.entity_id = member.id AND o.kind = 'event' AND o.observed_at <= $3::timestamptz
        ORDER BY o.observed_at DESC LIMIT ${INTERACTIONS}
      ) event ON true
      WHERE entity.last_activity_at < $3::timestamptz - interval '5 days'
      ORDER BY event.observed_at DESC LIMIT ${INTERACTIONS}
    ) about
  ) interactions ON true
  JOIN LATERAL (
    SELECT json_agg(json_build_array(about.id, about.property, about.value, ${micros('about.observed_at')})) AS list
    FROM (
      SELECT event.id, event.property, event.value, event.observed_at FROM ${members} AS member (id)
      JOIN LATERAL (
        SELECT o.id, o.property, o.value, o.observed_at FROM observations o
        WHERE o.workspace_id = $1 AND o.entity_id = member.id AND o.property = ANY ($4::text[]) OFFSET 0
      ) event ON true
      ORDER BY event.observed_at DESC LIMIT 20
    ) about
  ) meetings ON true`);

/** What there is to judge these entities by, by their canonical ids. One statement. @param at ISO 8601. */
export function readSubjects(tx: Tx, ids: readonly string[], at: string): Promise<SubjectRow[]> {
  return tx.query<SubjectRow>(SUBJECTS, [tx.workspace, ids, at, [...MEETING_EVENTS]]);
}

/** A claim that an item rests on. */
export interface ClaimKey {
  readonly entityId: string;
  readonly property: string;
}

/** The observations that these claims rest on, by `<entity> <property>`. One statement. */
export async function readRefs(tx: Tx, keys: readonly ClaimKey[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ entity_id: string; property: string; ref: string }>(
    `SELECT wanted.entity_id, wanted.property, claim.ref
     FROM unnest($2::uuid[], $3::text[]) AS wanted (entity_id, property)
     JOIN LATERAL (
       SELECT c.state #>> '{tracks,0,newest,id}' AS ref FROM claims c
       WHERE c.workspace_id = $1 AND c.entity_id = wanted.entity_id AND c.property = wanted.property OFFSET 0
     ) claim ON true`,
    [tx.workspace, keys.map(key => key.entityId), keys.map(key => key.property)],
  );
  return new Map(rows.map(({ entity_id, property, ref }) => [`${entity_id} ${property}`, ref]));
}
