import type { StoredObservation, JsonValue } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { EpistemicClass } from '#domain/claims/confidence.js';
import type { TenureProjection } from '#domain/claims/doubt.js';
import type { Identifier } from '#domain/identity/focus.js';
import { prepare } from '#kernel/db/prepared-query.js';
import { membersOfSql } from '../identity/links.queries.js';
import { knownAtSql, toObservation, type ObservationRow } from '../observations/observations.queries.js';

/** A logged statement with the canonical ID of its cluster. */
export type HistoricalStatement = StoredObservation & { readonly clusterId: string };

/**
 * Reads the logged statements of these clusters within a horizon. One statement.
 * @param clusterIds canonical IDs.
 * @param properties null for all properties.
 */
export async function readStatementHistory(
  tx: Tx,
  clusterIds: readonly string[],
  properties: readonly string[] | null,
  horizon: { readonly asOf: Instant; readonly knownAt: Instant },
): Promise<HistoricalStatement[]> {
  const rows = await tx.query<ObservationRow>(
    `SELECT cluster.id AS cluster_id, log.id, kind, property, value, source, method, observed_at, recorded_at,
            external_id, digest, about_address
     FROM (SELECT unnest($2::uuid[]) AS id) AS cluster
     JOIN LATERAL (${membersOfSql('cluster.id')}) AS member ON true
     JOIN observation_log log ON log.workspace_id = $1 AND log.entity_id = member.id
     WHERE ($3::text[] IS NULL OR property = ANY ($3)) AND observed_at <= $4 AND ${knownAtSql('log.', '$5')}`,
    [tx.workspace, clusterIds, properties, toIso(horizon.asOf), toIso(horizon.knownAt)],
  );
  return rows.map(row => ({ clusterId: row.cluster_id, ...toObservation(row) }));
}

/** An entity that counts as evidence about leads, with its stored data. Times within JSON are microseconds. */
export interface RelatedRow {
  readonly id: string;
  readonly roles: readonly EvidenceRole[];
  /** Null except for leads themselves and companies. */
  readonly claims: readonly EvidenceClaimRow[] | null;
  readonly events: readonly EvidenceEventRow[] | null;
  /** Oldest first; null for the people of a company. */
  readonly identifiers: readonly Identifier[] | null;
}

/**
 * The role of an entity for a lead: the lead itself, a member of its cluster, its company, or, if the lead is a company,
 * one of its people.
 */
export interface EvidenceRole {
  readonly subject: string;
  readonly as: (typeof EVIDENCE_ROLES)[number];
}

/** Roles in order of precedence of their evidence. */
export const EVIDENCE_ROLES = ['self', 'member', 'company', 'person'] as const;

/** A stored claim, and whether it is usable. */
export interface EvidenceClaimRow {
  readonly property: string;
  readonly value: JsonValue;
  /** Null if no observation counts yet. */
  readonly confidence: number | null;
  readonly class: EpistemicClass;
  readonly at: Instant;
  readonly ref: string | null;
  readonly tenure: TenureProjection;
  /** Time when a statement about the future takes effect. */
  readonly due: Instant | null;
}

/** A logged event. */
export interface EvidenceEventRow {
  readonly id: string;
  readonly property: string;
  readonly at: Instant;
}

/** Selects the claims and events that count as evidence. */
export interface EvidenceQuery {
  /** Properties of the claims. */
  readonly claims: readonly string[];
  /** Properties of the events; an entry of `contains` keeps only events whose details contain that text. */
  readonly events: { readonly properties: readonly string[]; readonly contains: readonly (string | null)[] };
  /** Maximum number of newest events per entity and property. */
  readonly maxEvents: number;
  readonly asOf: Instant;
  readonly knownAt: Instant;
}

/** Maximum number of people of a company whose events count for it. */
const MAX_PEOPLE = 500;

const microsSql = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`;

// One statement for any number of leads. OFFSET 0 makes each part use its own index condition.
const READ_EVIDENCE = prepare(`
  WITH subject AS MATERIALIZED (
    SELECT entity.id, entity.type, coalesce(entity.company_id, requested.company_id) AS company_id
    FROM unnest($2::uuid[], $9::uuid[]) AS requested (id, company_id)
    JOIN LATERAL (
      SELECT e.id, e.type, e.company_id FROM entities e WHERE e.workspace_id = $1 AND e.id = requested.id OFFSET 0
    ) entity ON true
  ), role AS (
    SELECT id, id AS subject, 'self' AS role FROM subject
    UNION ALL
    SELECT member.id, subject.id, 'member' FROM subject
    JOIN LATERAL (
      SELECT e.id FROM entities e WHERE e.workspace_id = $1 AND e.canonical_id = subject.id OFFSET 0
    ) member ON true
    UNION ALL
    SELECT coalesce(company.canonical_id, company.id), subject.id, 'company' FROM subject
    JOIN LATERAL (
      SELECT e.id, e.canonical_id FROM entities e
      WHERE e.workspace_id = $1 AND e.id = subject.company_id OFFSET 0
    ) company ON true
    UNION ALL
    SELECT person.id, subject.id, 'person' FROM subject
    JOIN LATERAL (
      SELECT employed.id FROM (
        SELECT e.id FROM entities e WHERE e.workspace_id = $1 AND e.company_id = subject.id OFFSET 0
      ) employed ORDER BY employed.id LIMIT ${MAX_PEOPLE}
    ) person ON subject.type = 'company'
  ), related AS (
    SELECT id, json_agg(json_build_object('subject', subject, 'as', role)) AS roles,
           bool_or(role IN ('self', 'company')) AS is_described, bool_or(role <> 'person') AS is_reached
    FROM role GROUP BY id
  )
  SELECT related.id, related.roles, claims.list AS claims, events.list AS events, identifiers.list AS identifiers
  FROM related
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('property', c.property, 'value', c.value, 'confidence', c.confidence,
      'class', c.epistemic_class, 'at', ${microsSql('c.supported_at')}, 'ref', c.top_observation_id, 'tenure', c.tenure,
      'due', ${microsSql('c.next_change_at')})) AS list
    FROM claims c
    WHERE c.workspace_id = $1 AND c.entity_id = related.id AND c.property = ANY ($3::text[])
      AND (c.confidence IS NOT NULL OR c.next_change_at IS NOT NULL)
  ) claims ON related.is_described
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('id', id, 'property', property, 'at', ${microsSql('observed_at')})
      ORDER BY observed_at DESC, id) AS list
    FROM (
      SELECT o.id, o.property, o.observed_at,
             row_number() OVER (PARTITION BY o.property ORDER BY o.observed_at DESC, o.id) AS rank
      FROM (
        SELECT log.id, log.property, log.observed_at, log.value FROM observation_log log
        WHERE log.workspace_id = $1 AND log.entity_id = related.id AND log.property = ANY ($4::text[])
          AND log.observed_at <= $6::timestamptz AND ${knownAtSql('log.', '$7::timestamptz')} OFFSET 0
      ) o
      JOIN unnest($4, $5::text[]) AS filter (property, contains) ON filter.property = o.property
        AND (contains IS NULL OR position(contains IN lower(o.property || coalesce(o.value::text, ''))) > 0)
    ) AS newest WHERE rank <= $8::int
  ) events ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('kind', i.kind, 'key', i.key, 'value', i.value)
      ORDER BY i.first_seen, i.kind, i.key) AS list
    FROM identifiers i WHERE i.workspace_id = $1 AND i.entity_id = related.id
  ) identifiers ON related.is_reached`);

/**
 * Reads the stored evidence about these canonical entities. One statement.
 * @param companies company IDs by canonical ID, for people whose company is not stored yet.
 */
export function readEvidence(
  tx: Tx,
  ids: readonly string[],
  companies: ReadonlyMap<string, string>,
  query: EvidenceQuery,
): Promise<RelatedRow[]> {
  const { claims, events, maxEvents, asOf, knownAt } = query;
  return tx.query<RelatedRow>(READ_EVIDENCE, [
    tx.workspace,
    ids,
    claims,
    events.properties,
    events.contains,
    toIso(asOf),
    toIso(knownAt),
    maxEvents,
    ids.map(id => companies.get(id)),
  ]);
}

/** Reads the canonical entity IDs of leads by lead ID. One statement. */
export async function findEntitiesOfLeads(tx: Tx, leadIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; entity_id: string }>(
    `SELECT lead.id, coalesce(entity.canonical_id, entity.id) AS entity_id FROM leads lead
     JOIN entities entity ON entity.workspace_id = $1 AND entity.id = lead.entity_id
     WHERE lead.workspace_id = $1 AND lead.id = ANY ($2::uuid[])`,
    [tx.workspace, leadIds],
  );
  return new Map(rows.map(({ id, entity_id }) => [id, entity_id]));
}
