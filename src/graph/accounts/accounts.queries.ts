import type { LoggedEvent } from '#domain/context/key-activity.js';
import { stripEventPrefix } from '#domain/observation/interaction-events.js';
import { type Instant, toIso, parseInstant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersSql } from '../identity/links.queries.js';
import { knownAtSql } from '../observations/observations.queries.js';
import { validate as isUuid } from 'uuid';
import { HubError } from '#kernel/errors/hub-error.js';
import type { EntityType, Identifier } from '#domain/identity/focus.js';
import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import { prepare } from '#kernel/db/prepared-query.js';
import { openDisputesSql } from '../identity/proposals.queries.js';

/** Maximum number of people whose events a company's timeline includes; the most recently active ones. */
const MAX_PEOPLE = 200;

/**
 * Selects the entities whose observations an account shows: the members of the cluster of `$2`, with `person_id` null,
 * and the people of a company, with `person_id` their canonical ID.
 */
export const timelineSourcesSql = `
  SELECT id, NULL::uuid AS person_id FROM (${membersSql(2)}) AS member
  UNION ALL
  SELECT person.id, CASE WHEN person.canonical_id IS NULL THEN person.id ELSE person.canonical_id END
  FROM (${membersSql(2)}) AS company CROSS JOIN LATERAL (
    SELECT id, canonical_id FROM entities
    WHERE workspace_id = $1 AND company_id = company.id AND type = 'person'
    ORDER BY last_activity_at DESC NULLS LAST, id LIMIT ${MAX_PEOPLE}) AS person`;

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

/** Sort key of the last observation of a timeline page. */
export interface TimelinePageKey {
  readonly entityId: string;
  readonly observedAt: Instant;
  readonly id: string;
}

/** Encodes a page key as an opaque cursor. */
export function encodeTimelineCursor({ entityId, observedAt, id }: TimelinePageKey): string {
  return Buffer.from(JSON.stringify([entityId, toIso(observedAt), id])).toString('base64url');
}

/** Decodes a cursor. @throws HubError `cursor_mismatch` if it is malformed or belongs to another entity. */
export function decodeTimelineCursor(cursor: string, entityId: string): TimelinePageKey {
  const [owner, observedAt, id] = parseParts(cursor);
  const instant = observedAt === undefined ? undefined : parseInstant(observedAt);
  const isValid = instant !== undefined && id !== undefined && isUuid(id);
  if (owner !== entityId || !isValid) throw new HubError('cursor_mismatch');
  return { entityId, observedAt: instant, id };
}

function parseParts(cursor: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts.filter(part => typeof part === 'string') : [];
  } catch {
    return [];
  }
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

/** A stored observation of a timeline. */
export interface TimelineRow {
  readonly id: string;
  readonly entity_id: string;
  readonly kind: ObservationKind;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly method: string;
  readonly observed_at: Instant;
  readonly recorded_at: Instant;
  /** The start of a meeting, otherwise `observed_at`. */
  readonly happens_at: Instant;
  readonly external_id: string | null;
  /** In the timeline of a company: the person whose event it is; null for the company's own. */
  readonly person_id: string | null;
}

/** Selects a page of a timeline. */
export interface TimelineQuery {
  readonly limit: number;
  readonly after: TimelinePageKey | undefined;
  readonly asOf: Instant;
  readonly knownAt: Instant;
}

/** Finds the same observation, by source, external ID and property, under another member of the cluster. */
const DUPLICATE_SQL = `
  SELECT 1 FROM observation_log duplicate
  WHERE duplicate.workspace_id = $1 AND duplicate.entity_id IN (SELECT id FROM members) AND duplicate.source = row.source
    AND duplicate.external_id = row.external_id AND duplicate.property = row.property AND duplicate.id < row.id
    AND duplicate.observed_at <= $3 AND ${knownAtSql('duplicate.', '$4')}`;

const timelineSql = (hasCursor: boolean) => `
  WITH members AS (${membersSql(2)}), sources AS (${timelineSourcesSql})
  SELECT page.*, sources.person_id FROM sources, LATERAL (
    SELECT id, entity_id, kind, property, value, source, method, observed_at, recorded_at, happens_at, external_id
    FROM observation_log row
    WHERE workspace_id = $1 AND entity_id = sources.id AND observed_at <= $3 AND ${knownAtSql('row.', '$4')}
      AND (sources.person_id IS NULL OR kind = 'event')
      ${hasCursor ? 'AND (observed_at, id) < ($6, $7)' : ''}
      AND (external_id IS NULL OR sources.person_id IS NOT NULL OR (SELECT count(*) FROM members) = 1
           OR NOT EXISTS (${DUPLICATE_SQL}))
    ORDER BY observed_at DESC, id DESC LIMIT $5
  ) AS page
  ORDER BY observed_at DESC, id DESC LIMIT $5`;

const FIRST_PAGE = prepare(timelineSql(false));
const LATER_PAGE = prepare(timelineSql(true));

/**
 * Reads a page of the observations of a cluster, newest first. Keyset pagination: every page costs the same. An
 * observation that two members have under the same external ID is returned once. The timeline of a company includes
 * the events of its people.
 */
export function readTimeline(tx: Tx, entityId: string, page: TimelineQuery): Promise<TimelineRow[]> {
  const { limit, after, asOf, knownAt } = page;
  const values = [tx.workspace, entityId, toIso(asOf), toIso(knownAt), limit];
  return after
    ? tx.query<TimelineRow>(LATER_PAGE, [...values, toIso(after.observedAt), after.id])
    : tx.query<TimelineRow>(FIRST_PAGE, values);
}
