import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { SAMPLE_DOMAINS, SAMPLE_SOURCES } from './sample-data.data.js';

/** Returns when the sample data was loaded; undefined if the workspace has none. */
export async function findSampleDataTime(tx: Tx): Promise<Instant | undefined> {
  const [row] = await tx.query<{ at: Instant | null }>(
    `SELECT min(o.recorded_at) AS at
     FROM identifiers i JOIN observations o ON o.workspace_id = $1 AND o.entity_id = i.entity_id
     WHERE i.workspace_id = $1 AND i.kind = 'domain' AND i.key = ANY ($2::text[]) AND o.source = ANY ($3::text[])`,
    [tx.workspace, SAMPLE_DOMAINS, SAMPLE_SOURCES],
  );
  return row?.at ?? undefined;
}
