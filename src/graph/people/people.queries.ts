import type { EpistemicClass } from '#domain/claims/confidence.js';
import type { TenureProjection } from '#domain/claims/doubt.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import { membersOfSql } from '../identity/links.queries.js';
import type { Tx } from '#kernel/db/transaction.js';

/** A person with their company. */
export interface PersonEntity {
  readonly id: string;
  readonly name: string | null;
  readonly created_at: Instant;
  readonly first_activity_at: Instant | null;
  readonly last_activity_at: Instant | null;
  readonly company_id: string | null;
  readonly company_name: string | null;
  readonly company_domain: string | null;
}

/** The columns of a claim that lists show. */
export interface PersonClaim {
  readonly entity_id: string;
  readonly property: string;
  /** Null if the fact has ended. */
  readonly value: JsonValue;
  readonly confidence: number;
  readonly epistemic_class: EpistemicClass;
  readonly supported_at: Instant;
  readonly tenure: TenureProjection;
  readonly updated_at: Instant;
}

/** The oldest e-mail address or profile of a person. */
export interface PersonIdentifier {
  readonly entity_id: string;
  readonly kind: 'email' | 'linkedin';
  readonly value: string;
  readonly first_seen: Instant;
}

/** Returns these entities, in no order. */
export function readPeople(tx: Tx, ids: readonly string[]): Promise<PersonEntity[]> {
  return tx.query<PersonEntity>(
    `SELECT e.id, e.name, e.created_at, e.first_activity_at, e.last_activity_at,
            coalesce(company.canonical_id, company.id) AS company_id, company.name AS company_name,
            (SELECT i.key FROM (${membersOfSql('e.company_id')}) AS member
             JOIN identifiers i ON i.workspace_id = $1 AND i.entity_id = member.id AND i.kind = 'domain'
             ORDER BY i.first_seen, i.key LIMIT 1) AS company_domain
     FROM entities e
     LEFT JOIN entities company ON company.workspace_id = $1 AND company.id = e.company_id
     WHERE e.workspace_id = $1 AND e.id = ANY ($2::uuid[])`,
    [tx.workspace, ids],
  );
}

/** Returns the claims of these entities, for some properties or (undefined) all. */
export function readPersonClaims(
  tx: Tx,
  ids: readonly string[],
  properties: readonly string[] | undefined,
): Promise<PersonClaim[]> {
  return tx.query<PersonClaim>(
    `SELECT entity_id, property, value, confidence, epistemic_class, supported_at, updated_at, tenure FROM claims
     WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND supported_at IS NOT NULL
       ${properties ? 'AND property = ANY ($3::text[])' : ''}`,
    [tx.workspace, ids, ...(properties ? [properties] : [])],
  );
}

/** Returns the oldest address and profile of each entity, including those of entities merged into it. */
export function readPersonIdentifiers(tx: Tx, ids: readonly string[]): Promise<PersonIdentifier[]> {
  return tx.query<PersonIdentifier>(
    `SELECT DISTINCT ON (member.entity_id, i.kind) member.entity_id, i.kind, i.value, i.first_seen
     FROM (
       SELECT id AS entity_id, id AS member_id FROM unnest($2::uuid[]) AS id
       UNION ALL
       SELECT canonical_id, id FROM entities WHERE workspace_id = $1 AND canonical_id = ANY ($2::uuid[])
     ) AS member
     JOIN identifiers i ON i.workspace_id = $1 AND i.entity_id = member.member_id AND i.kind IN ('email', 'linkedin')
     ORDER BY member.entity_id, i.kind, i.first_seen, i.key`,
    [tx.workspace, ids],
  );
}

/** An event of a person. */
export interface RecentEvent {
  readonly id: string;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly observed_at: Instant;
}

/** Returns the latest events of an entity, newest first. @param members ids of the members of its cluster. */
export function readRecentEvents(tx: Tx, members: readonly string[], limit: number): Promise<RecentEvent[]> {
  return tx.query<RecentEvent>(
    `SELECT id, property, value, source, observed_at FROM observations
     WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND kind = 'event' AND observed_at <= now()
     ORDER BY observed_at DESC, id DESC LIMIT $3`,
    [tx.workspace, members, limit],
  );
}
