import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import { type Instant, parseInstant, toIso } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { validate as isUuid } from 'uuid';
import { membersSql } from '../identity/links.queries.js';
import { knownAtSql } from '../observations/observations.queries.js';

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

/** Conditions of `TimelineConditions`, by its fields in order. */
const CONDITIONS_SQL = `
      AND observed_at >= $6 AND ($7::text IS NULL OR kind = $7) AND ($8::text[] IS NULL OR property = ANY ($8))
      AND ($9::text IS NULL OR source = $9)`;

const timelineSql = (cursor: string | undefined, conditions = '') => `
  WITH members AS (${membersSql(2)}), sources AS (${timelineSourcesSql})
  SELECT page.*, sources.person_id FROM sources, LATERAL (
    SELECT id, entity_id, kind, property, value, source, method, observed_at, recorded_at, happens_at, external_id
    FROM observation_log row
    WHERE workspace_id = $1 AND entity_id = sources.id AND observed_at <= $3 AND ${knownAtSql('row.', '$4')}
      AND (sources.person_id IS NULL OR kind = 'event')
      ${cursor === undefined ? '' : `AND (observed_at, id) < (${cursor})`}${conditions}
      AND (external_id IS NULL OR sources.person_id IS NOT NULL OR (SELECT count(*) FROM members) = 1
           OR NOT EXISTS (${DUPLICATE_SQL}))
    ORDER BY observed_at DESC, id DESC LIMIT $5
  ) AS page
  ORDER BY observed_at DESC, id DESC LIMIT $5`;

const FIRST_PAGE = prepare(timelineSql(undefined));
const LATER_PAGE = prepare(timelineSql('$6, $7'));
const FIRST_FILTERED_PAGE = prepare(timelineSql(undefined, CONDITIONS_SQL));
const LATER_FILTERED_PAGE = prepare(timelineSql('$10, $11', CONDITIONS_SQL));

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

/** What observations of a timeline must meet; undefined: anything. */
export interface TimelineConditions {
  /** Valid time at or after which it happened. */
  readonly since: Instant | undefined;
  readonly kind: ObservationKind | undefined;
  /** Names as the log has them. */
  readonly properties: readonly string[] | undefined;
  readonly source: string | undefined;
}

/** Reads a page of a timeline as {@link readTimeline} does, of the observations that meet conditions. */
export function readFilteredTimeline(
  tx: Tx,
  entityId: string,
  { limit, after, asOf, knownAt }: TimelineQuery,
  { since, kind, properties, source }: TimelineConditions,
): Promise<TimelineRow[]> {
  const from = since === undefined ? '-infinity' : toIso(since);
  const conditions = [from, kind ?? null, properties ?? null, source ?? null];
  const values = [tx.workspace, entityId, toIso(asOf), toIso(knownAt), limit, ...conditions];
  return after
    ? tx.query<TimelineRow>(LATER_FILTERED_PAGE, [...values, toIso(after.observedAt), after.id])
    : tx.query<TimelineRow>(FIRST_FILTERED_PAGE, values);
}
