import type { StoredObservation } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersOfSql } from '../identity/members.queries.js';
import { toObservation, type ObservationRow } from '../observations/observations.queries.js';

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
            external_id, digest
     FROM (SELECT unnest($2::uuid[]) AS id) AS cluster
     JOIN LATERAL (${membersOfSql('cluster.id')}) AS member ON true
     JOIN observations log ON log.workspace_id = $1 AND log.entity_id = member.id
     WHERE ($3::text[] IS NULL OR property = ANY ($3)) AND observed_at <= $4 AND recorded_at <= $5`,
    [tx.workspace, clusterIds, properties, toIso(horizon.asOf), toIso(horizon.knownAt)],
  );
  return rows.map(row => ({ clusterId: row.cluster_id, ...toObservation(row) }));
}
