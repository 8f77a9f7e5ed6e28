import type { LoggedEvent } from '#domain/context/key-activity.js';
import { stripEventPrefix } from '#domain/observation/interaction-events.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersSql } from '../identity/links.queries.js';

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
       SELECT id, property, value, source, observed_at, happens_at FROM observations
       WHERE workspace_id = $1 AND entity_id = sources.id AND kind = 'event'
         AND observed_at <= $3 AND recorded_at <= $4
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
