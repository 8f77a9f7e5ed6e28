import { EVENT_PROPERTIES } from '#domain/observation/interaction-events.js';
import type { Instant } from '#domain/time/instant.js';
import type { Json } from '#sdk/json.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersSql } from '../identity/members.queries.js';

/** An observation that may become a plugin event. */
export interface InteractionRow {
  readonly id: string;
  readonly property: string;
  readonly method: string;
  readonly value: Json;
  readonly source: string;
  readonly observed_at: Instant;
  readonly recorded_at: Instant;
  readonly external_id: string | null;
}

const COLUMNS = 'id, property, method, value, source, observed_at, recorded_at, external_id';

/** Reads those of these observations that may become plugin events. */
export function readInteractions(tx: Tx, ids: readonly string[]): Promise<InteractionRow[]> {
  return tx.query<InteractionRow>(
    `SELECT ${COLUMNS} FROM observations
     WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND property = ANY ($3)`,
    [tx.workspace, ids, EVENT_PROPERTIES],
  );
}

/**
 * Reads the last `limit` interactions of a cluster in the order in which they were recorded.
 * @param until ID of the last observation to include; null for the newest.
 */
export async function readEntityInteractions(
  tx: Tx,
  canonicalId: string,
  { until, limit }: { readonly until: string | null; readonly limit: number },
): Promise<InteractionRow[]> {
  const rows = await tx.query<InteractionRow>(
    `SELECT ${COLUMNS} FROM observations
     WHERE workspace_id = $1 AND entity_id IN (${membersSql(2)}) AND property = ANY ($3)
       AND ($4::uuid IS NULL OR (recorded_at, id) <= (
         SELECT last.recorded_at, last.id FROM observations last WHERE last.workspace_id = $1 AND last.id = $4))
     ORDER BY recorded_at DESC, id DESC LIMIT $5`,
    [tx.workspace, canonicalId, EVENT_PROPERTIES, until, limit],
  );
  return rows.toReversed();
}
