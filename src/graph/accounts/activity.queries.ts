import type { LoggedEvent } from '#domain/context/key-activity.js';
import { stripEventPrefix } from '#domain/observation/direction.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersSql } from '../identity/members.queries.js';

/** People of a company whose events stand in its timeline: those who were active last. */
const MAX_PEOPLE = 200;

/**
 * SQL for whose log an account shows: of the cluster of `$2` (person_id null), and, of a company, that of its people,
 * where `person_id` says whose it is.
 */
export const timelineSourcesSql = `
  SELECT id, NULL::uuid AS person_id FROM (${membersSql(2)}) AS member
  UNION ALL
  SELECT person.id, CASE WHEN person.canonical_id IS NULL THEN person.id ELSE person.canonical_id END
  FROM (${membersSql(2)}) AS company CROSS JOIN LATERAL (
    SELECT id, canonical_id FROM entities
    WHERE workspace_id = $1 AND company_id = company.id AND type = 'person'
    ORDER BY last_activity_at DESC NULLS LAST, id LIMIT ${MAX_PEOPLE}) AS person`;

/** Up to which moments the log is read. */
export interface Horizon {
  readonly asOf: Instant;
  readonly knownAt: Instant;
}

/** The newest events of an entity, of a company with those of its people, who then are their `entity_id`. */
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
       SELECT id, property, value, source, observed_at, happens_at FROM observations
       WHERE workspace_id = $1 AND entity_id = sources.id AND kind = 'event'
         AND observed_at <= $3 AND recorded_at <= $4
       ORDER BY observed_at DESC, id DESC LIMIT $5
     ) AS newest
     ORDER BY newest.observed_at DESC, newest.id DESC LIMIT $5`,
    [tx.workspace, entityId, toIso(asOf), toIso(knownAt), limit],
  );
}

/** What the log of an entity holds, counted. */
export interface ActivitySummary {
  readonly total_observations: number;
  /** Events without their namespace, states by their property. */
  readonly by_type: Readonly<Record<string, number>>;
  /** ISO 8601; null when nothing was logged. */
  readonly first_seen: string | null;
  readonly last_seen: string | null;
}

/** Counts what the timeline of an account holds: of a company with the events of its people. One statement. */
export async function readActivitySummary(
  tx: Tx,
  entityId: string,
  { asOf, knownAt }: Horizon,
): Promise<ActivitySummary> {
  const rows = await tx.query<{ property: string; count: number; first: Instant; last: Instant }>(
    `SELECT property, count(*)::int AS count, min(observed_at) AS first, max(observed_at) AS last
     FROM (${timelineSourcesSql}) AS member JOIN observations o ON o.workspace_id = $1 AND o.entity_id = member.id
     WHERE observed_at <= $3 AND recorded_at <= $4 AND (member.person_id IS NULL OR o.kind = 'event')
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
