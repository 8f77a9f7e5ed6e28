import type { Plan } from '#domain/plans/tiers.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { QuotaName } from './quota-limits.js';

/** The plan of a workspace and what it has stored. */
export interface StoredUsage {
  readonly plan: Plan;
  readonly people: number;
  readonly notes: number;
  readonly observations_today: number;
  readonly stored_bytes: number;
}

/** Counts no further than the limit, so that the work is bounded. A null limit counts nothing. */
const READ_USAGE = prepare(
  `SELECT w.plan,
     (SELECT count(*)::int FROM (SELECT FROM entities WHERE workspace_id = $1 AND type = 'person' AND canonical_id IS NULL
        LIMIT $2) AS person) AS people,
     (SELECT count(*)::int FROM (SELECT FROM notes WHERE workspace_id = $1 LIMIT $3) AS note) AS notes,
     coalesce((SELECT amount FROM usage_counters WHERE workspace_id = $1 AND name = 'observations' AND period = $4), 0)
       AS observations_today,
     coalesce((SELECT amount FROM usage_counters WHERE workspace_id = $1 AND name = 'bytes' AND period = 0), 0) AS stored_bytes
   FROM workspaces w WHERE w.id = $1`,
);

/** Statements that count what is created seldom, in the transaction that creates it. */
const COUNT_CREATED = {
  api_keys: prepare(
    `SELECT w.plan, (SELECT count(*)::int FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL
       AND (expires_at > now()) IS NOT FALSE) AS used FROM workspaces w WHERE w.id = $1`,
  ),
  connections: prepare(
    `SELECT w.plan, (SELECT count(*)::int FROM connections WHERE workspace_id = $1 AND state <> 'disconnected') AS used
     FROM workspaces w WHERE w.id = $1`,
  ),
};

/** Returns the plan of the workspace and the number of its API keys or connections. */
export async function countCreated(
  tx: Tx,
  quota: keyof typeof COUNT_CREATED,
): Promise<{ readonly plan: Plan; readonly used: number }> {
  const [row] = await tx.query<{ plan: Plan; used: number }>(COUNT_CREATED[quota], [tx.workspace]);
  return row!;
}

/** Reads what a workspace has used. @param limits how far people and notes are counted @param day days since 1970 */
export async function readStoredUsage(
  tx: Tx,
  limits: Readonly<Record<Extract<QuotaName, 'people' | 'notes'>, number>>,
  day: number,
): Promise<StoredUsage> {
  const [row] = await tx.query<StoredUsage>(READ_USAGE, [tx.workspace, limits.people, limits.notes, day]);
  return row!;
}
