import type { EntityType } from '#domain/identity/focus.js';
import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import { COMMIT_HORIZON } from '#kernel/db/commit-positions.js';
import type { Tx } from '#kernel/db/transaction.js';
import { notRemovedSql } from '../identity/identifiers.queries.js';
import { membersOfSql } from '../identity/links.queries.js';

/** A place in the order of commits: all rows with a lower position and id come before it. */
export interface ChangePosition {
  /** `commit_position`, a bigint. */
  readonly position: string;
  readonly id: string;
}

/** What a row of a page is. A merge that was retracted is an unmerge. */
export type ChangeOrigin = 'observation' | 'retraction' | 'merge' | 'unmerge' | 'erasure';

/** Which rows a page has. Conditions that are null hold for every row. */
export interface ChangeFilter {
  readonly origins: readonly ChangeOrigin[];
  readonly observationKinds: readonly ObservationKind[];
  /** Properties of observations, as the log has them. */
  readonly logProperties: readonly string[] | null;
  readonly types: readonly EntityType[] | null;
  /** Sources, or their parts before the colon, whose rows are left out. */
  readonly notFrom: readonly string[];
}

/** A row that changed something. */
export interface ChangeRow extends ChangePosition {
  readonly origin: ChangeOrigin;
  readonly at: Instant;
  readonly type: EntityType;
  /** Canonical id. */
  readonly entity_id: string;
  /** Of a merge or unmerge: the other entity. */
  readonly other_id: string | null;
  /** Of an erasure: all ids that the person had. */
  readonly erased_ids: readonly string[] | null;
  /** Source of the observation or link; null for an erasure. */
  readonly source: string | null;
  // The rest is null unless the row is an observation, also a retracted one.
  readonly kind: ObservationKind | null;
  readonly property: string | null;
  readonly value: JsonValue;
  readonly method: string | null;
  readonly observed_at: Instant | null;
  readonly external_id: string | null;
}

/** Rows in the order of commits. */
export interface ChangeRowsPage {
  readonly rows: readonly ChangeRow[];
  /** Where the next page begins; undefined if nothing came after the position. */
  readonly end: ChangePosition | undefined;
  readonly hasMore: boolean;
}

/** Rows that one page examines at most, so that a filter that fits little costs little. */
const MAX_EXAMINED = 5_000;

/** Returns SQL for the next rows of a table, the first of which come from the index. */
const nextRowsSql = (table: string, columns: string, condition = 'true') => `
  (SELECT commit_position AS position, id, ${columns} FROM ${table}
   WHERE workspace_id = $1 AND commit_position > 0 AND (commit_position, id) > ($2::bigint, $3::uuid)
     AND commit_position < (SELECT ${COMMIT_HORIZON}) AND ${condition}
   ORDER BY commit_position, id LIMIT ${MAX_EXAMINED})`;

const OBSERVATION_ORIGIN = `CASE WHEN retracted_at IS NULL THEN 'observation' ELSE 'retraction' END`;

const READ_CHANGES = `
  WITH examined AS MATERIALIZED (
    SELECT * FROM (
      ${nextRowsSql('observation_log', `${OBSERVATION_ORIGIN} AS origin, entity_id, NULL::uuid AS other_id, kind, property, source`)}
      UNION ALL
      ${nextRowsSql(
        'entity_links',
        `CASE WHEN retracted_at IS NULL THEN 'merge' ELSE 'unmerge' END, a, b, NULL, NULL, source`,
        `kind = 'same_as'`,
      )}
      UNION ALL
      ${nextRowsSql('erasures', `'erasure', entity_id, NULL, NULL, NULL, NULL`)}
    ) AS next_rows ORDER BY position, id LIMIT ${MAX_EXAMINED}
  ), matching AS (
    SELECT examined.*, entity.type, coalesce(entity.canonical_id, entity.id) AS canonical_id,
           coalesce(other.canonical_id, other.id) AS canonical_other_id
    FROM examined
    JOIN entities entity ON entity.workspace_id = $1 AND entity.id = examined.entity_id
      AND (origin IN ('erasure', 'retraction') OR ${notRemovedSql('entity')})
    LEFT JOIN entities other ON other.workspace_id = $1 AND other.id = examined.other_id
    WHERE origin = ANY ($4) AND (kind IS NULL OR origin = 'retraction' OR kind = ANY ($5))
      AND ($6::text[] IS NULL OR property IS NULL OR property = ANY ($6))
      AND ($7::text[] IS NULL OR entity.type = ANY ($7))
      AND (source IS NULL OR NOT (source = ANY ($8) OR split_part(source, ':', 1) = ANY ($8)))
    ORDER BY position, examined.id LIMIT $9
  ), examined_end AS (
    SELECT count(*)::int AS count, max(position) AS position FROM examined
  )
  SELECT examined_end.count AS examined, examined_end.position::text AS end_position,
    (SELECT id FROM examined WHERE position = examined_end.position ORDER BY id DESC LIMIT 1) AS end_id,
    m.position::text AS position, m.id, m.origin, m.type, m.canonical_id AS entity_id, m.kind, m.property, m.source,
    CASE WHEN m.canonical_other_id <> m.canonical_id THEN m.canonical_other_id
         WHEN m.other_id <> m.canonical_id THEN m.other_id ELSE m.entity_id END AS other_id,
    erased.entity_ids AS erased_ids, o.value, o.method, o.observed_at, o.external_id,
    coalesce(o.retracted_at, o.recorded_at, link.retracted_at, link.created_at, erased.requested_at) AS at
  FROM examined_end LEFT JOIN matching m ON true
  LEFT JOIN observation_log o ON m.origin IN ('observation', 'retraction') AND o.workspace_id = $1 AND o.id = m.id
  LEFT JOIN entity_links link ON m.origin IN ('merge', 'unmerge') AND link.workspace_id = $1 AND link.id = m.id
  LEFT JOIN erasures erased ON m.origin = 'erasure' AND erased.workspace_id = $1 AND erased.id = m.id
  ORDER BY m.position, m.id`;

type ResultRow = ChangeRow & {
  readonly examined: number;
  readonly end_position: string | null;
  readonly end_id: string | null;
};

/** Reads the next rows after a position that match, at most `limit`, among those of transactions that have ended. */
export async function readChangeRows(
  tx: Tx,
  after: ChangePosition,
  { origins, observationKinds, logProperties, types, notFrom }: ChangeFilter,
  limit: number,
): Promise<ChangeRowsPage> {
  const filter = [origins, observationKinds, logProperties, types, notFrom];
  const params = [tx.workspace, after.position, after.id, ...filter, limit + 1];
  const found = await tx.query<ResultRow>(READ_CHANGES, params);
  const { examined, end_position: position, end_id: id } = found[0]!;
  const rows = found.filter(row => row.origin !== null).slice(0, limit);
  if (found.length > limit) return { rows, end: rows.at(-1), hasMore: true };
  const end = position !== null && id !== null ? { position, id } : undefined;
  return { rows, end, hasMore: examined === MAX_EXAMINED };
}

/** Returns the position before which all rows were committed. */
export async function readLatestPosition(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ position: string }>(`SELECT ${COMMIT_HORIZON}::text AS position`);
  return row!.position;
}

/** The ID of an entity in another system. */
export interface ExternalIdRow {
  readonly entity_id: string;
  /** System, colon, ID. */
  readonly value: string;
}

/** Reads the IDs that clusters, given by canonical id, have in other systems, the oldest first. One statement. */
export function readExternalIds(tx: Tx, canonicalIds: readonly string[]): Promise<ExternalIdRow[]> {
  return tx.query<ExternalIdRow>(
    `SELECT cluster.id AS entity_id, i.value
     FROM unnest($2::uuid[]) AS cluster (id)
     CROSS JOIN LATERAL (${membersOfSql('cluster.id')}) AS member
     JOIN identifiers i ON i.workspace_id = $1 AND i.entity_id = member.id AND i.kind = 'external'
     ORDER BY i.first_seen, i.key`,
    [tx.workspace, canonicalIds],
  );
}
