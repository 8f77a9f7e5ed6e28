import type { LoggedEvent } from '#domain/context/key-activity.js';
import { stripEventPrefix } from '#domain/observation/interaction-events.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersSql } from '../identity/links.queries.js';
import { knownAtSql } from '../observations/observations.queries.js';
import type { EntityType, Identifier } from '#domain/identity/focus.js';
import { prepare } from '#kernel/db/prepared-query.js';
import { openDisputesSql } from '../identity/proposals.queries.js';
import { timelineSourcesSql } from './timeline.queries.js';

/** The latest valid time and system time up to which the log is read. */
export interface Horizon {
  readonly asOf: Instant;
  readonly knownAt: Instant;
}

/** Reads the newest events of an entity. A company's include those of its people, with the person as `entity_id`. */
export function readNewestEvents(
  tx: Tx,
  entityId: string,
  { asOf, knownAt }: Horizon,
  limit: number,
): Promise<LoggedEvent[]> {
  return tx.query<LoggedEvent>(
    `SELECT newest.id, CASE WHEN person_id IS NULL THEN $2::uuid ELSE person_id END AS entity_id, newest.property,
            newest.value, newest.source, newest.observed_at, newest.happens_at
     FROM (${timelineSourcesSql}) AS sources, LATERAL (
       SELECT id, property, value, source, observed_at, happens_at FROM observation_log
       WHERE workspace_id = $1 AND entity_id = sources.id AND kind = 'event'
         AND observed_at <= $3 AND ${knownAtSql('', '$4')}
       ORDER BY observed_at DESC, id DESC LIMIT $5
     ) AS newest
     ORDER BY newest.observed_at DESC, newest.id DESC LIMIT $5`,
    [tx.workspace, entityId, toIso(asOf), toIso(knownAt), limit],
  );
}

/** Counts of the observations of an entity. */
export interface ActivitySummary {
  readonly total_observations: number;
  /** Keyed by event type without its namespace, or by property for states. */
  readonly by_type: Readonly<Record<string, number>>;
  /** ISO 8601; null if there are no observations. */
  readonly first_seen: string | null;
  readonly last_seen: string | null;
}

/** Counts the observations of an account's timeline, for a company with the events of its people. One statement. */
export async function readActivitySummary(
  tx: Tx,
  entityId: string,
  { asOf, knownAt }: Horizon,
): Promise<ActivitySummary> {
  const rows = await tx.query<{ property: string; count: number; first: Instant; last: Instant }>(
    `SELECT property, count(*)::int AS count, min(observed_at) AS first, max(observed_at) AS last
     FROM (${timelineSourcesSql}) AS member JOIN observation_log o ON o.workspace_id = $1 AND o.entity_id = member.id
     WHERE observed_at <= $3 AND ${knownAtSql('o.', '$4')} AND (member.person_id IS NULL OR o.kind = 'event')
     GROUP BY property ORDER BY count(*) DESC, property`,
    [tx.workspace, entityId, toIso(asOf), toIso(knownAt)],
  );
  const sum = rows.reduce((total, { count }) => total + count, 0);
  return {
    total_observations: sum,
    by_type: Object.fromEntries(rows.map(({ property, count }) => [stripEventPrefix(property), count])),
    first_seen: sum === 0 ? null : toIso(Math.min(...rows.map(({ first }) => first))),
    last_seen: sum === 0 ? null : toIso(Math.max(...rows.map(({ last }) => last))),
  };
}

/** A row of an entity with its company. */
export interface AccountEntityRow {
  readonly id: string;
  readonly type: EntityType;
  readonly name: string | null;
  readonly created_at: Instant;
  readonly first_activity_at: Instant | null;
  readonly last_activity_at: Instant | null;
  readonly last_inbound_activity_at: Instant | null;
  readonly company_id: string | null;
  readonly company_name: string | null;
  readonly company_domain: string | null;
  /** IDs of the entities that were merged into it, oldest first. */
  readonly merged_ids: readonly string[];
}

/**
 * Builds the query for an entity with its company. CASE instead of COALESCE: row-level security treats COALESCE as
 * leaky, so conditions with it cannot use an index.
 * @param extraColumns SQL of further columns, each preceded by a comma.
 */
const entitySql = (extraColumns = '') =>
  `SELECT e.id, e.type, e.name, e.created_at, e.first_activity_at, e.last_activity_at, e.last_inbound_activity_at,
          company.id AS company_id, company.name AS company_name,
          (SELECT key FROM (VALUES (company.id), (employer.id)) AS ids (id) JOIN LATERAL (
             SELECT key, first_seen FROM identifiers domain
             WHERE domain.workspace_id = $1 AND domain.kind = 'domain' AND domain.entity_id = ids.id OFFSET 0
           ) domain ON true
           ORDER BY first_seen, key LIMIT 1) AS company_domain,
          ARRAY(SELECT merged.id FROM entities merged
                WHERE merged.workspace_id = $1 AND merged.canonical_id = e.id
                ORDER BY merged.created_at, merged.id) AS merged_ids${extraColumns}
   FROM entities e
   LEFT JOIN LATERAL (
     SELECT id, canonical_id FROM entities WHERE workspace_id = $1 AND id = e.company_id OFFSET 0
   ) employer ON true
   LEFT JOIN LATERAL (
     SELECT id, name FROM entities
     WHERE workspace_id = $1 AND id = CASE WHEN employer.canonical_id IS NULL THEN employer.id ELSE employer.canonical_id END
     OFFSET 0
   ) company ON true
   WHERE e.workspace_id = $1 AND e.id = $2`;

const READ_ENTITY = prepare(entitySql());

/** Reads an entity by its canonical ID. Returns undefined if the workspace has no such entity. */
export async function readEntity(tx: Tx, id: string): Promise<AccountEntityRow | undefined> {
  const [row] = await tx.query<AccountEntityRow>(READ_ENTITY, [tx.workspace, id]);
  return row;
}

/** An entity with the identifiers of its cluster, oldest first. */
export interface EntityWithIdentifiers extends AccountEntityRow {
  readonly handles: readonly { readonly kind: Identifier['kind']; readonly value: string }[];
}

const READ_ENTITY_WITH_IDENTIFIERS = prepare(
  entitySql(`, (SELECT coalesce(json_agg(json_build_object('kind', i.kind, 'value', i.value) ORDER BY first_seen, key), '[]')
                FROM (${membersSql(2)}) AS member JOIN LATERAL (
                  SELECT kind, value, key, first_seen FROM identifiers
                  WHERE workspace_id = $1 AND entity_id = member.id OFFSET 0
                ) i ON true) AS handles`),
);

/** Reads an entity by its canonical ID with the identifiers of its cluster. Returns undefined if there is none. */
export async function readEntityWithIdentifiers(tx: Tx, id: string): Promise<EntityWithIdentifiers | undefined> {
  const [row] = await tx.query<EntityWithIdentifiers>(READ_ENTITY_WITH_IDENTIFIERS, [tx.workspace, id]);
  return row;
}

/** A stored identifier of an entity. */
export interface IdentifierRow {
  readonly kind: Identifier['kind'];
  readonly value: string;
  readonly key: string;
  readonly first_seen: Instant;
  /** Whether another entity owns it or has it stated too. */
  readonly disputed: boolean;
}

const READ_IDENTIFIERS = prepare(
  `WITH disputes AS (${openDisputesSql})
   SELECT kind, value, key, first_seen,
          EXISTS (SELECT 1 FROM disputes WHERE disputes.kind = identifier.kind AND disputes.key = identifier.key) AS disputed
   FROM (${membersSql(2)}) AS member JOIN LATERAL (
     SELECT kind, value, key, first_seen FROM identifiers i
     WHERE i.workspace_id = $1 AND i.entity_id = member.id OFFSET 0
   ) identifier ON true
   UNION ALL
   SELECT kind, value, key, created_at, true FROM disputes WHERE entity_id = $2
   ORDER BY first_seen, kind, key`,
);

/** Reads all identifiers of a cluster, oldest first, including disputed ones that another entity owns. */
export async function readEntityIdentifiers(tx: Tx, entityId: string): Promise<IdentifierRow[]> {
  const rows = await tx.query<IdentifierRow>(READ_IDENTIFIERS, [tx.workspace, entityId]);
  // The members of a cluster can share a phone number, each with an identifier of their own.
  const phones = new Set<string>();
  return rows.filter(({ kind, value }) => kind !== 'phone' || (!phones.has(value) && phones.add(value)));
}
