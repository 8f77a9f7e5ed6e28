import type { LikenessSide } from '#domain/identity/likeness.js';
import type { EntityType } from '#domain/identity/types.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Maximum number of candidates that each block gives an entity. */
const MAX_COLLEAGUES = 200;
const MAX_NAMESAKES = 50;
const MAX_SAME_ADDRESS = 20;
/** Length of the beginning that local parts of one mail host must share. */
const PREFIX_LENGTH = 4;

/** Smaller than every id of an entity. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Entities that changed after they were scanned are compared again after this time. */
const RESCAN_HOURS = 24;

/** Two entities that have something in common. */
export interface CandidatePair {
  readonly one: string;
  readonly other: string;
}

/** Returns the ids of up to `limit` canonical entities after an id, in the order of their ids. */
export async function readScanPage(tx: Tx, afterId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM entities WHERE workspace_id = $1 AND id > $2 AND canonical_id IS NULL ORDER BY id LIMIT $3`,
    [tx.workspace, afterId, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns the pairs of these entities with others that they share a block with: the same name, the same employer, the
 * same beginning of an address, the same phone number as it is written, or the same label of a domain. Each block is an
 * index and has a bound, so a name of thousands costs no more than one of fifty.
 */
export function findCandidates(tx: Tx, ids: readonly string[]): Promise<CandidatePair[]> {
  return tx.query<CandidatePair>(
    `WITH scanned AS MATERIALIZED (
       SELECT id, type, name_key, company_id FROM entities WHERE workspace_id = $1 AND id = ANY ($2::uuid[])
     ), member AS MATERIALIZED (
       SELECT id, id AS entity_id FROM scanned UNION ALL
       SELECT e.canonical_id, e.id FROM entities e WHERE e.workspace_id = $1 AND e.canonical_id = ANY ($2::uuid[])
     ), address AS MATERIALIZED (
       SELECT member.id, i.kind, i.key, split_part(i.key, CASE i.kind WHEN 'email' THEN '@' ELSE '.' END, 1) AS label
       FROM member JOIN identifiers i ON i.workspace_id = $1 AND i.entity_id = member.entity_id
       WHERE i.kind IN ('email', 'domain')
     ), found AS (
       SELECT s.id, near.id AS other FROM scanned s JOIN LATERAL (
         SELECT e.id FROM entities e WHERE e.workspace_id = $1 AND e.type = 'person' AND e.canonical_id IS NULL
           AND e.name_key = s.name_key LIMIT ${MAX_NAMESAKES}) near ON s.type = 'person'
       UNION SELECT s.id, near.id FROM scanned s JOIN LATERAL (
         SELECT e.id FROM entities e WHERE e.workspace_id = $1 AND e.company_id = s.company_id
         LIMIT ${MAX_COLLEAGUES}) near ON s.company_id IS NOT NULL
       UNION SELECT s.id, near.entity_id FROM scanned s
         JOIN name_words w ON w.workspace_id = $1 AND w.entity_id = s.id
         JOIN LATERAL (
           SELECT n.entity_id FROM name_words n WHERE n.workspace_id = $1 AND n.word = w.word
           LIMIT ${MAX_NAMESAKES}) near ON s.type = 'company'
       UNION SELECT a.id, near.entity_id FROM address a JOIN LATERAL (
         SELECT i.entity_id FROM identifiers i WHERE i.workspace_id = $1 AND i.kind = 'email'
           AND i.key >= a.label || '@' AND i.key < a.label || 'A' LIMIT ${MAX_SAME_ADDRESS}) near ON a.kind = 'email'
       UNION SELECT a.id, near.entity_id FROM address a JOIN LATERAL (
         SELECT i.entity_id FROM identifiers i WHERE i.workspace_id = $1 AND i.kind = 'email'
           AND i.key >= left(a.key, ${PREFIX_LENGTH}) AND i.key < left(a.key, ${PREFIX_LENGTH}) || U&'\\+10FFFF'
           AND split_part(i.key, '@', 2) = split_part(a.key, '@', 2) LIMIT ${MAX_SAME_ADDRESS}
         ) near ON a.kind = 'email' AND length(a.label) >= ${PREFIX_LENGTH}
       UNION SELECT a.id, near.entity_id FROM address a JOIN LATERAL (
         SELECT i.entity_id FROM identifiers i WHERE i.workspace_id = $1 AND i.kind = 'domain'
           AND i.key >= a.label || '.' AND i.key < a.label || '/' LIMIT ${MAX_SAME_ADDRESS}) near ON a.kind = 'domain'
       UNION SELECT s.id, near.entity_id FROM scanned s
         JOIN LATERAL (
           SELECT string_agg(w.word, '') AS label FROM name_words w
           WHERE w.workspace_id = $1 AND w.entity_id = s.id OFFSET 0) joined ON true
         JOIN LATERAL (
           SELECT i.entity_id FROM identifiers i WHERE i.workspace_id = $1 AND i.kind = 'domain'
             AND i.key >= joined.label || '.' AND i.key < joined.label || '/'
           LIMIT ${MAX_SAME_ADDRESS}) near ON s.type = 'company'
       UNION SELECT s.id, near.entity_id FROM scanned s
         JOIN claims c ON c.workspace_id = $1 AND c.entity_id = s.id AND c.property = 'phone'
         JOIN LATERAL (
           SELECT p.entity_id FROM claims p WHERE p.workspace_id = $1 AND p.property = 'phone'
             AND p.text_prefix = c.text_prefix LIMIT ${MAX_SAME_ADDRESS}) near ON true
     )
     SELECT DISTINCT greatest(found.id, other.id) AS one, least(found.id, other.id) AS other FROM found
     JOIN LATERAL (
       SELECT coalesce(e.canonical_id, e.id) AS id FROM entities e
       WHERE e.workspace_id = $1 AND e.id = found.other AND e.canonical_id IS DISTINCT FROM e.id OFFSET 0) other ON true
     WHERE found.id <> other.id AND NOT EXISTS (
       SELECT 1 FROM entity_links link WHERE link.workspace_id = $1 AND link.kind = 'not_same'
         AND link.retracted_at IS NULL AND link.a = least(found.id, other.id) AND link.b = greatest(found.id, other.id))`,
    [tx.workspace, ids],
  );
}

/** Returns what entities are compared by, by canonical id. */
export async function readLikenessSides(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, LikenessSide>> {
  const rows = await tx.query<LikenessSide & { readonly id: string; readonly type: EntityType }>(
    `SELECT e.id, e.type, e.name, e.company_id AS employer,
            coalesce(own.emails, '{}') AS emails, coalesce(own.linkedins, '{}') AS linkedins,
            coalesce(own.domains, '{}') AS domains, ARRAY(
              SELECT c.text_value FROM claims c WHERE c.workspace_id = $1 AND c.entity_id = e.id
                AND c.property = 'phone' AND c.text_value IS NOT NULL) AS phones
     FROM entities e
     JOIN LATERAL (
       SELECT array_agg(i.key) FILTER (WHERE i.kind = 'email') AS emails,
              array_agg(i.key) FILTER (WHERE i.kind = 'linkedin') AS linkedins,
              array_agg(i.key) FILTER (WHERE i.kind = 'domain') AS domains
       FROM identifiers i WHERE i.workspace_id = $1 AND i.entity_id IN (
         SELECT e.id UNION ALL
         SELECT m.id FROM entities m WHERE m.workspace_id = $1 AND m.canonical_id = e.id)
     ) own ON true
     WHERE e.workspace_id = $1 AND e.id = ANY ($2::uuid[])`,
    [tx.workspace, ids],
  );
  return new Map(rows.map(({ id, ...side }) => [id, side]));
}

/**
 * Takes the scan of a workspace for this transaction. Returns the id to go on after, and whether it began so long ago that
 * it begins again once it has come to its end; undefined if another process has taken it.
 */
export async function takeScan(tx: Tx): Promise<{ afterId: string; isDue: boolean } | undefined> {
  await tx.query(
    `INSERT INTO likeness_scans (workspace_id, after_id, started_at) VALUES ($1, '${FIRST_ID}', now())
     ON CONFLICT DO NOTHING`,
    [tx.workspace],
  );
  const [row] = await tx.query<{ after_id: string; is_due: boolean }>(
    `SELECT after_id, started_at < now() - interval '${RESCAN_HOURS} hours' AS is_due FROM likeness_scans
     WHERE workspace_id = $1 FOR UPDATE SKIP LOCKED`,
    [tx.workspace],
  );
  return row && { afterId: row.after_id, isDue: row.is_due };
}

/** Stores how far a scan has come; `hasStarted` sets its time of start to now. */
export async function saveScan(tx: Tx, afterId: string, hasStarted: boolean): Promise<void> {
  await tx.query(
    `UPDATE likeness_scans SET after_id = $2, started_at = CASE WHEN $3 THEN now() ELSE started_at END
     WHERE workspace_id = $1`,
    [tx.workspace, afterId, hasStarted],
  );
}
