import type { EpistemicClass } from '#domain/claims/certainty.js';
import type { Identifier } from '#domain/identity/focus.js';
import type { Json } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

/** An entity that counts as evidence about a lead: itself, what was merged into it, its company, a company's people. */
export interface RelatedRow {
  readonly subject: string;
  readonly related: string;
  /** `self` has the claims of the lead, `company` those of its company; of `member` and `person` only events count. */
  readonly role: 'self' | 'member' | 'company' | 'person';
}

/** People of a company whose events count for it. */
const MOST_PEOPLE = 500;

/** Whom to look at for each of these canonical entities. One statement. */
export function readRelated(tx: Tx, ids: readonly string[]): Promise<RelatedRow[]> {
  return tx.query<RelatedRow>(
    `WITH subject AS (SELECT id, type, company_id FROM entities WHERE workspace_id = $1 AND id = ANY ($2::uuid[]))
     SELECT id AS subject, id AS related, 'self' AS role FROM subject
     UNION ALL
     SELECT subject.id, member.id, 'member' FROM subject
     JOIN entities member ON member.workspace_id = $1 AND member.canonical_id = subject.id
     UNION ALL
     SELECT subject.id, coalesce(company.canonical_id, company.id), 'company' FROM subject
     JOIN entities company ON company.workspace_id = $1 AND company.id = subject.company_id
     UNION ALL
     SELECT subject.id, person.id, 'person' FROM subject CROSS JOIN LATERAL (
       SELECT id FROM entities
       WHERE workspace_id = $1 AND company_id = subject.id ORDER BY id LIMIT ${MOST_PEOPLE}) AS person
     WHERE subject.type = 'company'`,
    [tx.workspace, ids],
  );
}

/** A claim with what decides whether it can be used. */
export interface ClaimRow {
  readonly entity_id: string;
  readonly property: string;
  readonly value: Json;
  readonly confidence: number;
  readonly class: EpistemicClass;
  readonly supported_at: Instant;
  readonly ref: string | null;
  /** When a statement about the future comes due, in microseconds. */
  readonly due_at: string | null;
}

/** The claims of these entities about these properties. One statement. */
export function readClaims(tx: Tx, ids: readonly string[], properties: readonly string[]): Promise<ClaimRow[]> {
  return tx.query<ClaimRow>(
    `SELECT entity_id, property, value, confidence, class, supported_at,
            state #>> '{tracks,0,newest,id}' AS ref, state ->> 'nextChangeAt' AS due_at
     FROM claims
     WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND property = ANY ($3::text[])
       AND (confidence IS NOT NULL OR state ->> 'nextChangeAt' IS NOT NULL)`,
    [tx.workspace, ids, properties],
  );
}

/** An event as it is logged. */
export interface EventRow {
  readonly entity_id: string;
  readonly id: string;
  readonly property: string;
  readonly observed_at: Instant;
}

/** Which events count: under these properties, and, where a text is given, only those whose details contain it. */
export interface WantedEvents {
  readonly properties: readonly string[];
  readonly contains: readonly (string | null)[];
}

/** The newest `most` events of each entity and property within a horizon. One statement. */
export function readEvents(
  tx: Tx,
  ids: readonly string[],
  { properties, contains }: WantedEvents,
  most: number,
  horizon: { readonly asOf: Instant; readonly knownAt: Instant },
): Promise<EventRow[]> {
  return tx.query<EventRow>(
    `SELECT entity_id, id, property, observed_at FROM (
       SELECT entity_id, id, property, observed_at,
              row_number() OVER (PARTITION BY entity_id, property ORDER BY observed_at DESC, id) AS place
       FROM observations JOIN unnest($3::text[], $4::text[]) AS wanted (property, contains) USING (property)
       WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND observed_at <= $5 AND recorded_at <= $6
         AND (contains IS NULL OR position(contains IN lower(property || coalesce(value::text, ''))) > 0)) AS newest
     WHERE place <= $7`,
    [tx.workspace, ids, properties, contains, toIso(horizon.asOf), toIso(horizon.knownAt), most],
  );
}

/** An identifier and whose it is. */
export interface OwnedIdentifier extends Identifier {
  readonly entity_id: string;
}

/** All identifiers of these entities. One statement. */
export function readIdentifiers(tx: Tx, ids: readonly string[]): Promise<OwnedIdentifier[]> {
  return tx.query<OwnedIdentifier>(
    `SELECT entity_id, kind, key, value FROM identifiers
     WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) ORDER BY first_seen, kind, key`,
    [tx.workspace, ids],
  );
}

/** The entities of leads by the leads' ids. One statement. */
export async function findEntitiesOfLeads(tx: Tx, leadIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; entity_id: string }>(
    `SELECT lead.id, coalesce(entity.canonical_id, entity.id) AS entity_id FROM leads lead
     JOIN entities entity ON entity.workspace_id = $1 AND entity.id = lead.entity_id
     WHERE lead.workspace_id = $1 AND lead.id = ANY ($2::uuid[])`,
    [tx.workspace, leadIds],
  );
  return new Map(rows.map(({ id, entity_id }) => [id, entity_id]));
}
